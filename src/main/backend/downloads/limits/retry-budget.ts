import type { Timers } from '../tasks/timers.ts';

const mostTokens = 20;
const tokenMs = 3000;

/** Retries that a server can be asked to bear. */
export interface RetryBudget {
  /** Takes one: milliseconds until it may happen, 0 as long as there are any. */
  take(): number;
}

/** 20 retries at once, and one more every 3 s (downloads.md c.3). */
export function createRetryBudget(timers: Timers): RetryBudget {
  let tokens = mostTokens;
  let filledAtMs = timers.elapsedMs();
  return {
    take() {
      const nowMs = timers.elapsedMs();
      tokens = Math.min(mostTokens, tokens + (nowMs - filledAtMs) / tokenMs);
      filledAtMs = nowMs;
      tokens -= 1;
      // Below 0 are those that wait already: the next one comes after them.
      return Math.max(0, Math.ceil(-tokens * tokenMs));
    },
  };
}
