import type { Timers } from '../tasks/timers.ts';

const recoveryMs = 60_000;

/** How many transfers may run at once: what a person allows, or fewer for a while. */
export interface Concurrency {
  readonly most: number;
  setMost(count: number): void;
  /** The system can't bear as many as run now: half of them, and then one more every minute. */
  lower(runningCount: number): void;
}

/** Begins with what a person allows. */
export function createConcurrency(timers: Timers, count: number): Concurrency {
  let allowed = Math.max(1, Math.floor(count));
  let lowered: { count: number; atMs: number } | null = null;
  return {
    get most() {
      if (lowered === null) return allowed;
      const more = Math.floor((timers.elapsedMs() - lowered.atMs) / recoveryMs);
      return Math.min(allowed, lowered.count + more);
    },
    setMost: (next) => void (allowed = Math.max(1, Math.floor(next))),
    lower(runningCount) {
      lowered = { count: Math.max(1, Math.floor(runningCount / 2)), atMs: timers.elapsedMs() };
    },
  };
}
