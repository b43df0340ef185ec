/** Time that passes, from outside, so that tests can let hours pass. */
export interface Timers {
  /** Milliseconds since some moment. Unlike the clock nobody puts it; on some systems it stands still in sleep. */
  elapsedMs(): number;
  /** Calls back once after a delay; returns the way to call it off. */
  after(delayMs: number, callback: () => void): () => void;
}

// setTimeout takes a longer delay for none at all.
const longestDelayMs = 2 ** 31 - 1;

/** The computer's own timers. */
export const systemTimers: Timers = {
  elapsedMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), longestDelayMs));
    return () => clearTimeout(timer);
  },
};
