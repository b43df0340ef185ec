import type { Timers } from '../tasks/timers.ts';

const tickMs = 10_000;
const idleTicks = 3;
const slowTicks = 6;
const slowBytesPerSecond = 1024;
// Whatever scans a file on its way drips while it does (downloads.md c.3).
const morePatience = 5;

/** Notices a body that has stopped or only drips; libraries' timeouts don't (downloads.md §0.10). */
export interface StallWatchdog {
  /** Bytes came. */
  count(bytes: number): void;
  /** While the disk is the slow one, the server isn't to blame. */
  hold(): void;
  /** The same for as long as something is waited for: the disk, or bandwidth that a person has limited. */
  holdWhile<Result>(wait: Promise<Result>): Promise<Result>;
  stop(): void;
}

/**
 * Calls `onStall` once after 30–40 s without a byte, or a minute below 1 KiB/s; five times as late from a sluggish server.
 * Calls `onIdle` after every 10 s without a byte.
 */
export function startStallWatchdog(
  timers: Timers,
  {
    isSluggish,
    onStall,
    onIdle = () => undefined,
  }: { isSluggish: boolean; onStall: () => void; onIdle?: () => void },
): StallWatchdog {
  const patience = isSluggish ? morePatience : 1;
  const mostIdleTicks = idleTicks * patience;
  const mostSlowTicks = slowTicks * patience;
  let ticks: number[] = [];
  let bytes = 0;
  let isHeld = false;
  let holds = 0;
  let cancel = timers.after(tickMs, tick);

  function tick(): void {
    ticks = isHeld || holds > 0 ? [] : [...ticks.slice(1 - mostSlowTicks), bytes];
    if (ticks.at(-1) === 0) onIdle();
    bytes = 0;
    isHeld = false;
    const isIdle = ticks.length >= mostIdleTicks && ticks.slice(-mostIdleTicks).every((count) => count === 0);
    const sum = ticks.reduce((total, count) => total + count, 0);
    const isSlow =
      ticks.length >= mostSlowTicks && sum < (slowBytesPerSecond * mostSlowTicks * tickMs) / 1000;
    if (isIdle || isSlow) onStall();
    else cancel = timers.after(tickMs, tick);
  }

  return {
    count: (received) => void (bytes += received),
    hold: () => void (isHeld = true),
    async holdWhile(wait) {
      holds += 1;
      try {
        return await wait;
      } finally {
        holds -= 1;
        isHeld = true;
      }
    },
    stop: () => cancel(),
  };
}
