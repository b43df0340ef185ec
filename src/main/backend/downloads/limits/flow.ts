import { createRateMeter } from './rate-meter.ts';

// Over which the time left is told: between small files nothing comes for a moment, again and again.
const usualPaceMs = 15_000;

/** How fast bytes come, of a transfer or of several together. */
export interface Flow {
  count(bytes: number, nowMs: number): void;
  /** Over the last five seconds. */
  bytesPerSecond(nowMs: number): number;
  /** Over longer, so that the time left doesn't leap. */
  pace(nowMs: number): number;
}

/**
 * Nothing came yet. How fast bytes came under another `limit` says nothing of how fast they come, nor does a rest of more
 * than `restMs` in which nothing did.
 */
export function createFlow(
  limit: () => number | null,
  { paceMs = usualPaceMs, restMs = Infinity } = {},
): Flow {
  let current = begin();
  let cameAtMs: number | null = null;

  function begin() {
    return { limit: limit(), last: createRateMeter(), longer: beginLonger() };
  }

  function beginLonger() {
    return createRateMeter({ windowMs: paceMs });
  }

  function meters() {
    if (current.limit !== limit()) current = begin();
    return current;
  }

  return {
    count(bytes, nowMs) {
      const now = meters();
      if (cameAtMs !== null && nowMs - cameAtMs > restMs) now.longer = beginLonger();
      cameAtMs = nowMs;
      now.last.count(bytes, nowMs);
      now.longer.count(bytes, nowMs);
    },
    bytesPerSecond: (nowMs) => meters().last.bytesPerSecond(nowMs),
    pace: (nowMs) => meters().longer.bytesPerSecond(nowMs),
  };
}

/** Both rates, in bytes per second; what has come to a halt has no pace either. */
export function tellFlow(
  flow: Pick<Flow, 'bytesPerSecond' | 'pace'> | undefined,
  nowMs: number,
): { bytesPerSecond: number; pace: number } {
  const bytesPerSecond = flow?.bytesPerSecond(nowMs) ?? 0;
  return { bytesPerSecond, pace: flow && bytesPerSecond > 0 ? flow.pace(nowMs) : 0 };
}
