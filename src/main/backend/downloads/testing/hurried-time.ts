import { systemTimers } from '../tasks/timers.ts';
import type { ManualTime } from './manual-time.ts';

/** Time that passes by itself, so many times as fast as usual; `advance` is a sleep that nobody tells of. */
export function createHurriedTime(factor: number): ManualTime {
  let aheadMs = Date.parse('2026-03-01T12:00:00Z');
  const elapsedMs = () => performance.now() * factor;
  const now = () => Math.round(aheadMs + elapsedMs());
  return {
    clock: { now, elapsedMs },
    timers: {
      elapsedMs,
      after: (delayMs, callback) => systemTimers.after(delayMs / factor, callback),
    },
    advance: (ms) => void (aheadMs += ms),
    setClock: (nowMs) => void (aheadMs += nowMs - now()),
  };
}
