import type { Timers } from '../tasks/timers.ts';

const stepMs = 100;
// New connections are judged once all of them bring something: that takes as long as the way is. Some never do.
const patienceMs = 2000;
const leastGain = 1.1;
// Each step takes as long as the way is, so there should be few.
const growth = 4;
const clearShare = 0.6;
// A moment in which the computer was busy must not decide for a whole file.
const firstRetryMs = 1500;
const longestRetryMs = 30_000;
// What brings this much (bytes a millisecond) isn't held up by how much a connection may.
const enoughRate = (256 * 1024 * 1024) / 1000;
// Less is over before another connection has begun.
const leastLeftMs = 1000;

/**
 * Finds out how many connections a file gains by: four times as many as long as all of them together bring a tenth more. Of
 * those only as many stay as are needed for what came, and more are tried again later and later.
 */
export interface RangeRamp {
  /** How many it should have now. */
  readonly count: number;
  /** So many bytes came, by whatever connection; so many connections bring some. */
  note(bytes: number, options: RampFacts): void;
}

interface RampFacts {
  leftBytes: number;
  /** Connections that it may have. */
  most: number;
  bringing: number;
}

/** Begins with one connection. */
export function createRangeRamp(timers: Timers): RangeRamp {
  let count = 1;
  let before = { count: 1, rate: 0 };
  let retryMs = firstRetryMs;
  let sinceMs = timers.elapsedMs();
  let isBeginning = false;
  let bytes = 0;

  // Each of them bringing as much as before there were more.
  function neededFor(rate: number): number {
    if (count <= before.count || before.rate === 0) return count;
    const gain = rate / before.rate;
    if (gain < leastGain) return before.count;
    // A busy moment makes some of them look idle.
    const isClear = gain * before.count < count * clearShare;
    return isClear ? Math.ceil(gain * before.count) : count;
  }

  function judge(rate: number, options: RampFacts): void {
    const needed = neededFor(rate);
    if (needed < count) {
      before = { count: needed, rate: needed > before.count ? rate : 0 };
      count = needed;
      sinceMs = timers.elapsedMs() + retryMs;
      retryMs = Math.min(retryMs * 2, longestRetryMs);
      return;
    }
    before = { count, rate };
    const next = Math.min(count * growth, options.most);
    const mayHelp = rate / count < enoughRate && options.leftBytes > rate * leastLeftMs;
    if (!mayHelp) return;
    isBeginning = next > count;
    count = next;
  }

  return {
    get count() {
      return count;
    },
    note(received, options) {
      if (count > options.most) count = Math.max(1, options.most);
      const elapsedMs = timers.elapsedMs() - sinceMs;
      if (elapsedMs < 0) return;
      if (isBeginning) {
        if (options.bringing < count && elapsedMs < patienceMs) return;
        isBeginning = false;
        sinceMs = timers.elapsedMs();
        return;
      }
      bytes += received;
      if (elapsedMs < stepMs) return;
      sinceMs = timers.elapsedMs();
      judge(bytes / elapsedMs, options);
      bytes = 0;
    },
  };
}
