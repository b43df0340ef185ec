import type { Clock } from '../../ports.ts';
import type { Timers } from '../tasks/timers.ts';

/** A clock and its timers that move only when told to. */
export interface ManualTime {
  clock: Clock;
  timers: Timers;
  advance(ms: number): void;
  /** Puts the clock to another time without letting any pass. */
  setClock(nowMs: number): void;
}

/** Time that begins at a fixed moment. */
export function createManualTime(): ManualTime {
  let wallMs = Date.parse('2026-03-01T12:00:00Z');
  let elapsedMs = 0;
  const pending = new Set<{ dueMs: number; callback: () => void }>();
  return {
    clock: { now: () => wallMs, elapsedMs: () => elapsedMs },
    timers: {
      elapsedMs: () => elapsedMs,
      after(delayMs, callback) {
        const timer = { dueMs: elapsedMs + delayMs, callback };
        pending.add(timer);
        return () => pending.delete(timer);
      },
    },
    advance(ms) {
      const endMs = elapsedMs + ms;
      for (;;) {
        const [next] = [...pending].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        pending.delete(next);
        wallMs += next.dueMs - elapsedMs;
        elapsedMs = next.dueMs;
        next.callback();
      }
      wallMs += endMs - elapsedMs;
      elapsedMs = endMs;
    },
    setClock: (nowMs) => void (wallMs = nowMs),
  };
}
