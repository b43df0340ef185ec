import type { TransferRun } from '../run/transfer-run.ts';

/** The runs that go on now, and transfers that may not be run for a moment. */
export interface Slots {
  runs(): TransferRun[];
  runOf(transferId: number): TransferRun | undefined;
  /** How many slots are taken, which runs that have left theirs, or are quiet, don't count for. */
  readonly takenCount: number;
  /** Transfers that are run or held. */
  busyIds(): number[];
  /** Takes a slot until the work is over, however it ends. */
  occupy(run: TransferRun, work: () => Promise<void>): void;
  /** Gives the slot of a run that goes on to others. */
  leave(transferId: number): void;
  /** Keeps a transfer out of the slots while its part file is dealt with; waits for its run to end first. */
  hold<Result>(transferId: number, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when every run and every hold has ended. */
  idle(): Promise<void>;
}

/** Slots that tell when one has become free. */
export function createSlots(onFree: () => void): Slots {
  const occupied = new Map<number, { run: TransferRun; ended: Promise<void> }>();
  const left = new Set<number>();
  const held = new Map<number, number>();
  const holds = new Set<Promise<unknown>>();

  function countQuiet(): number {
    let count = 0;
    for (const [transferId, { run }] of occupied)
      if (run.quietSinceMs !== null && !left.has(transferId)) count += 1;
    return count;
  }

  function release(transferId: number): void {
    const count = (held.get(transferId) ?? 1) - 1;
    if (count > 0) held.set(transferId, count);
    else held.delete(transferId);
  }

  return {
    runs: () => [...occupied.values()].map(({ run }) => run),
    runOf: (transferId) => occupied.get(transferId)?.run,
    get takenCount() {
      return occupied.size - left.size - countQuiet();
    },
    busyIds: () => [...occupied.keys(), ...held.keys()],
    occupy(run, work) {
      const { transferId } = run.row;
      const ended = work().finally(() => {
        occupied.delete(transferId);
        left.delete(transferId);
        onFree();
      });
      occupied.set(transferId, { run, ended });
    },
    leave(transferId) {
      if (!occupied.has(transferId) || left.has(transferId)) return;
      left.add(transferId);
      onFree();
    },
    async hold(transferId, work) {
      held.set(transferId, (held.get(transferId) ?? 0) + 1);
      const result = (occupied.get(transferId)?.ended ?? Promise.resolve()).then(work);
      holds.add(result);
      try {
        return await result;
      } finally {
        holds.delete(result);
        release(transferId);
        onFree();
      }
    },
    async idle() {
      await Promise.allSettled([...[...occupied.values()].map(({ ended }) => ended), ...holds]);
    },
  };
}
