import type { Clock } from '../../ports.ts';
import type { Timers } from '../tasks/timers.ts';

const tickMs = 5000;
const gapMs = 30_000;

/** Notices that the computer slept, where the system doesn't tell. */
export interface TimeWatch {
  /** Looks every few seconds, or no longer: a queue that does nothing needs no care. */
  setActive(isActive: boolean): void;
  close(): void;
}

/**
 * Calls back when much more time went by than was waited for: by the clock on the wall where the other stands still in
 * sleep, by either where it doesn't. A clock that is put forward looks the same, and costs no more than new connections.
 */
export function createTimeWatch(options: { clock: Clock; timers: Timers; onGap: () => void }): TimeWatch {
  const { clock, timers, onGap } = options;
  let cancel: (() => void) | null = null;
  let last = { wallMs: 0, elapsedMs: 0 };

  function wait(): void {
    last = { wallMs: clock.now(), elapsedMs: timers.elapsedMs() };
    cancel = timers.after(tickMs, tick);
  }

  function tick(): void {
    const wallMs = clock.now() - last.wallMs;
    const elapsedMs = timers.elapsedMs() - last.elapsedMs;
    wait();
    if (Math.max(wallMs, elapsedMs) - tickMs > gapMs) onGap();
  }

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  return {
    setActive(isActive) {
      if (!isActive) stop();
      else if (cancel === null) wait();
    },
    close: stop,
  };
}
