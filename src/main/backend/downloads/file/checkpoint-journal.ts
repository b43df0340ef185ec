import type { Timers } from '../tasks/timers.ts';
import type { Durable } from './chunk.ts';

/** One file's checkpoint, synced already. */
export interface Checkpoint {
  transferId: number;
  durable: Durable;
  /** Called within the commit, and never when it fails; what it changes belongs to the same transaction. */
  apply: () => void;
}

/** Writes the checkpoints of all files down together: a durable commit costs the same for one as for ten. */
export interface CheckpointJournal {
  /** Resolves when it is durable. Whoever waits for it `atOnce` has the others written as well. */
  write(checkpoint: Checkpoint, options?: { atOnce?: boolean }): Promise<void>;
}

const leastBetweenMs = 500;

interface Waiting {
  checkpoint: Checkpoint;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A journal whose `commit` writes some checkpoints in one durable transaction. */
export function createCheckpointJournal(options: {
  timers: Timers;
  commit: (checkpoints: readonly Checkpoint[]) => void;
}): CheckpointJournal {
  const { timers, commit } = options;
  let waiting: Waiting[] = [];
  let cancelTimer: (() => void) | null = null;
  let committedAtMs = -Infinity;

  function commitAll(): void {
    cancelTimer?.();
    cancelTimer = null;
    const taken = waiting;
    waiting = [];
    committedAtMs = timers.elapsedMs();
    try {
      commit(taken.map(({ checkpoint }) => checkpoint));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return {
    write: (checkpoint, { atOnce = false } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ checkpoint, resolve, reject });
        const sinceMs = timers.elapsedMs() - committedAtMs;
        if (atOnce || sinceMs >= leastBetweenMs) commitAll();
        else cancelTimer ??= timers.after(leastBetweenMs - sinceMs, commitAll);
      }),
  };
}
