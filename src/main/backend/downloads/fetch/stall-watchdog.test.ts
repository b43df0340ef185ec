import { describe, expect, it } from 'vitest';
import { startStallWatchdog } from './stall-watchdog.ts';
import { createManualTime } from '../testing/manual-time.ts';

function watch({ isSluggish = false } = {}) {
  const time = createManualTime();
  let stalls = 0;
  const watchdog = startStallWatchdog(time.timers, { isSluggish, onStall: () => (stalls += 1) });
  return { time, watchdog, stalls: () => stalls };
}

describe('the watchdog over a body', () => {
  it('barks once within 40 s of silence', () => {
    const { time, watchdog, stalls } = watch();
    watchdog.count(1_000_000);
    time.advance(30_000);
    expect(stalls()).toBe(0);
    time.advance(10_000);
    expect(stalls()).toBe(1);
    time.advance(600_000);
    expect(stalls()).toBe(1);
  });

  it('barks at a drip, but not at a slow line', () => {
    const drip = watch();
    const slow = watch();
    for (let second = 0; second < 300; second += 1) {
      drip.watchdog.count(200);
      slow.watchdog.count(2000);
      drip.time.advance(1000);
      slow.time.advance(1000);
    }
    expect(drip.stalls()).toBe(1);
    expect(slow.stalls()).toBe(0);
  });

  it('has more patience with what may be scanned on its way, and not without end', () => {
    const silent = watch({ isSluggish: true });
    silent.time.advance(140_000);
    expect(silent.stalls()).toBe(0);
    silent.time.advance(20_000);
    expect(silent.stalls()).toBe(1);
    const drip = watch({ isSluggish: true });
    for (let second = 0; second < 280; second += 1) {
      drip.watchdog.count(200);
      drip.time.advance(1000);
    }
    expect(drip.stalls()).toBe(0);
    for (let second = 0; second < 40; second += 1) {
      drip.watchdog.count(200);
      drip.time.advance(1000);
    }
    expect(drip.stalls()).toBe(1);
  });

  it('does not blame the server for a slow disk', () => {
    const { time, watchdog, stalls } = watch();
    for (let second = 0; second < 120; second += 1) {
      watchdog.hold();
      time.advance(1000);
    }
    expect(stalls()).toBe(0);
    watchdog.stop();
    time.advance(600_000);
    expect(stalls()).toBe(0);
  });
});
