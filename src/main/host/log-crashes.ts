import type { Logger } from '../backend/ports.ts';

/** Leaves a last line in the log when an error that nobody caught ends the program. How it ends stays as it is. */
export function logCrashes(logger: Logger): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    logger.error('crashed', { message: error.message, stack: error.stack });
  });
}
