import { describe, expect, it } from 'vitest';
import { createRateMeter } from './rate-meter.ts';

describe('createRateMeter', () => {
  it('averages over the last seconds and falls to nothing', () => {
    const meter = createRateMeter();
    for (let nowMs = 0; nowMs < 10_000; nowMs += 10) meter.count(10_000, nowMs);
    expect(meter.bytesPerSecond(10_000)).toBeGreaterThan(900_000);
    expect(meter.bytesPerSecond(10_000)).toBeLessThan(1_100_000);
    expect(meter.bytesPerSecond(16_000)).toBe(0);
  });

  it('takes lumps for what came since the one before, and not for a moment’s haste', () => {
    const lumpBytes = 1_048_576;
    for (const [gapMs, windowMs] of [
      [1000, 5000],
      [4000, 5000],
      [10_000, 15_000],
      [12_000, 5000],
    ] as const) {
      const meter = createRateMeter({ windowMs });
      for (let nowMs = 0; nowMs <= 60_000; nowMs += gapMs) meter.count(lumpBytes, nowMs);
      const perSecond = (lumpBytes * 1000) / gapMs;
      expect(meter.bytesPerSecond(60_000)).toBeCloseTo(perSecond, -1);
      expect(meter.bytesPerSecond(60_500)).toBeLessThanOrEqual(perSecond);
    }
  });

  it('is right from the first second on, and bears a clock that steps back', () => {
    const meter = createRateMeter();
    meter.count(500_000, 50_000);
    meter.count(500_000, 50_900);
    expect(meter.bytesPerSecond(51_000)).toBe(1_000_000);
    meter.count(1000, 10_000);
    expect(Number.isFinite(meter.bytesPerSecond(0))).toBe(true);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 100) meter.count(100_000, nowMs);
    expect(meter.bytesPerSecond(20_000)).toBeGreaterThan(900_000);
    expect(meter.bytesPerSecond(20_000)).toBeLessThan(1_100_000);
  });
});
