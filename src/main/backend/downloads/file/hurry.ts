import type { Timers } from '../tasks/timers.ts';

// Bytes a millisecond. What is read back is what anybody will find. But a disk can't be written and read back as fast.
const hurriedRate = (256 * 1024 * 1024) / 1000;
const measuredBytes = 16 * 1024 * 1024;

/** How fast bytes come, of all files together. */
export interface Hurry {
  /** So many bytes are about to be written: whether they come faster than they could be read back as well. */
  note(bytes: number): boolean;
  /** What `note` last said. */
  readonly isHurried: boolean;
}

/** No hurry. */
export function createHurry(timers: Timers): Hurry {
  let sinceMs = timers.elapsedMs();
  let bytes = 0;
  let isHurried = false;
  return {
    get isHurried() {
      return isHurried;
    },
    note(more) {
      bytes += more;
      if (bytes < measuredBytes) return isHurried;
      const nowMs = timers.elapsedMs();
      isHurried = bytes > (nowMs - sinceMs) * hurriedRate;
      sinceMs = nowMs;
      bytes = 0;
      return isHurried;
    },
  };
}
