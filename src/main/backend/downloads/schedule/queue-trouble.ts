import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { Clock } from '../../ports.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import type { Hold } from '../limits/allowance.ts';
import { damagedQueue, isDamageOfQueue } from '../file/queue-damage.ts';

/** Knows whether the queue's own file can be written: where it can't, what runs comes to nothing. */
export interface QueueTrouble {
  /** Null where it can, as far as is known. */
  readonly hold: Hold | null;
  /** Whether the file is damaged: that doesn't end before it is opened anew. */
  readonly isDamaged: boolean;
  /** Work with it went well. */
  noteSuccess(): void;
  noteFailure(thrown: unknown): void;
}

/**
 * No trouble yet. `retryMs`: after how long it is tried again; `onChange` is called when it begins and when it is over,
 * `onDamage` when the file turns out to be damaged.
 */
export function createQueueTrouble(parts: {
  clock: Clock;
  retryMs: number;
  onChange: () => void;
  onDamage: () => void;
}): QueueTrouble {
  const { clock, retryMs, onChange, onDamage } = parts;
  let hold: Hold | null = null;

  function isDamaged(): boolean {
    return hold?.error.code === 'library.corrupt';
  }

  function note(error: AppError | null): void {
    if (isDamaged()) return;
    const isOther = (hold === null) !== (error === null);
    hold = error && { error, resumeAtMs: clock.now() + retryMs };
    if (isOther) onChange();
  }

  function noteDamage(cause: unknown): void {
    if (isDamaged()) return;
    hold = { error: damagedQueue(cause), resumeAtMs: null };
    onDamage();
    onChange();
  }

  return {
    get hold() {
      return hold;
    },
    get isDamaged() {
      return isDamaged();
    },
    noteSuccess: () => note(null),
    noteFailure(thrown) {
      if (isDamageOfQueue(thrown)) noteDamage(thrown);
      else note(findQueueTrouble(thrown));
    },
  };
}

/**
 * Why the queue's own file can't be written, where a person can mend it: `transfer.disk-full` or
 * `transfer.destination-not-writable`. Null for what is a fault of Swath's own.
 */
function findQueueTrouble(thrown: unknown): AppError | null {
  const error = toFileError(thrown, { filePath: 'downloads.sqlite', name: 'download queue' });
  if (isAppError(error, 'library.disk-full')) {
    return new AppError(
      'transfer.disk-full',
      "There is no room for the download queue in Swath's own folder",
      {
        cause: thrown,
        retryable: true,
      },
    );
  }
  if (isAppError(error, 'library.read-only')) {
    return new AppError(
      'transfer.destination-not-writable',
      "The download queue in Swath's own folder can't be written to",
      { cause: thrown, retryable: true },
    );
  }
  return null;
}
