import { isAppError, toAppError } from '#shared/errors/app-error.ts';
import type { Kept } from '../library/library.ts';
import type { Logger } from '../ports.ts';

/** The catalog's answer; the kept copy when the catalog is out of reach and there is one. */
export async function answerOrKept<Value>(
  ask: () => Promise<Kept<Value>>,
  findKept: () => Kept<Value> | null,
): Promise<Kept<Value>> {
  try {
    return await ask();
  } catch (thrown) {
    const kept = isAppError(thrown) && thrown.code.startsWith('network.') ? findKept() : null;
    if (!kept) throw thrown;
    return kept;
  }
}

/** Keeps an answer and says whether that worked: on a full disk it still reaches whoever asked. */
export async function tryToKeep(logger: Logger, keep: () => void | Promise<void>): Promise<boolean> {
  try {
    await keep();
    return true;
  } catch (thrown) {
    logNotKept(logger, thrown);
    return false;
  }
}

/** Notes that an answer could not be kept. */
export function logNotKept(logger: Logger, thrown: unknown): void {
  logger.error('answer not kept', { message: toAppError(thrown).message });
}

/** RFC 3339 of a moment in milliseconds since 1970 UTC. */
export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
