import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Logger } from '../ports.ts';
import { redactFacts } from './redact-facts.ts';

interface FileLoggerOptions {
  clock: Clock;
  /** The file is set aside as `<file>.1` once it is longer; so the log takes at most twice this. */
  maxSizeBytes?: number;
}

/** Writes one JSON object a line. A log that can't be written is given up silently: it must not stop the program. */
export function createFileLogger(file: string, options: FileLoggerOptions): Logger {
  const { clock, maxSizeBytes = 2 * 1024 * 1024 } = options;
  let sizeBytes = sizeOf(file);
  const write = (level: string, event: string, facts: Readonly<Record<string, unknown>> = {}): void => {
    try {
      const entry = { time: new Date(clock.now()).toISOString(), level, event, ...redactFacts(facts) };
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      if (sizeBytes === null) mkdirSync(dirname(file), { recursive: true });
      if ((sizeBytes ?? 0) + line.length > maxSizeBytes && (sizeBytes ?? 0) > 0) {
        renameSync(file, `${file}.1`);
        sizeBytes = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      sizeBytes = (sizeBytes ?? 0) + line.length;
    } catch {
      sizeBytes = sizeOf(file);
    }
  };
  return {
    info: (event, facts) => write('info', event, facts),
    warn: (event, facts) => write('warn', event, facts),
    error: (event, facts) => write('error', event, facts),
  };
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
