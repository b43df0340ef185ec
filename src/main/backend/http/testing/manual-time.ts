import type { Clock } from '../../ports.ts';
import type { Wait } from '../wait.ts';

/** Time that stands still until a test moves it. */
export interface ManualTime extends Clock {
  wait: Wait;
  /** Moves on and lets everything happen that was waiting for it. */
  advance(byMs: number): Promise<void>;
  /** Puts the clock by so much without letting any time pass. */
  put(byMs: number): void;
  timerCount(): number;
  /** Resolves as soon as so many wait. */
  untilTimers(count: number): Promise<void>;
}

interface Timer {
  atMs: number;
  fire(): void;
}

/** A clock at `startMs`, and a `wait` that goes by it. */
export function createManualTime(startMs = 0): ManualTime {
  let nowMs = 0;
  let aheadMs = startMs;
  let timers: Timer[] = [];
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => aheadMs + nowMs,
    elapsedMs: () => nowMs,
    put: (byMs) => void (aheadMs += byMs),
    wait: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const timer = { atMs: nowMs + delayMs, fire: resolve };
        timers.push(timer);
        signal?.addEventListener('abort', () => {
          timers = timers.filter((one) => one !== timer);
          reject(new DOMException('aborted', 'AbortError'));
        });
      }),
    async advance(byMs) {
      nowMs += byMs;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const timer of due) timer.fire();
      await nextTurn();
    },
    timerCount: () => timers.length,
    async untilTimers(count) {
      while (timers.length < count) await nextTurn();
    },
  };
}
