/** Bytes per second as they were in the last minutes: one sample a second. */
export interface RateHistory {
  /** When the last sample was taken, in ms since 1970. */
  readonly lastMs: number;
  /** Oldest first, in bytes per second. */
  readonly samples: readonly number[];
}

/** How far back it goes. */
export const historySeconds = 240;

/** Before the first sample. */
export const noHistory: RateHistory = { lastMs: 0, samples: [] };

/**
 * Takes what flows now. What comes within a second of the last sample takes its place; seconds that nobody looked at,
 * as when the computer slept, count as no flow.
 */
export function recordRate(history: RateHistory, bytesPerSecond: number, nowMs: number): RateHistory {
  const { lastMs, samples } = history;
  const missed = Math.floor((nowMs - lastMs) / 1000);
  if (samples.length === 0 || missed < 0) return { lastMs: nowMs, samples: [bytesPerSecond] };
  if (missed === 0) return { lastMs, samples: [...samples.slice(0, -1), bytesPerSecond] };
  const gap = new Array<number>(Math.min(missed - 1, historySeconds)).fill(0);
  return {
    lastMs: lastMs + missed * 1000,
    samples: [...samples, ...gap, bytesPerSecond].slice(-historySeconds),
  };
}
