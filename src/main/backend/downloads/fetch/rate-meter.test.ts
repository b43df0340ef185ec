import { describe, expect, it } from 'vitest';
import { createRateMeter } from './rate-meter.ts';

describe('createRateMeter', () => {
  it('averages over the last seconds and falls to nothing', () => {
    const meter = createRateMeter(0);
    for (let nowMs = 0; nowMs < 10_000; nowMs += 10) meter.count(10_000, nowMs);
    expect(meter.bytesPerSecond(10_000)).toBeGreaterThan(900_000);
    expect(meter.bytesPerSecond(10_000)).toBeLessThan(1_100_000);
    expect(meter.bytesPerSecond(16_000)).toBe(0);
  });

  it('takes no time before the first bytes, or in which none could come, for slowness', () => {
    const meter = createRateMeter(0);
    for (const startMs of [60_000, 120_000]) {
      meter.count(500_000, startMs);
      meter.count(500_000, startMs + 900);
      expect(meter.bytesPerSecond(startMs + 1000)).toBe(1_000_000);
    }
  });

  it('is right from the first second on, and bears a clock that steps back', () => {
    const meter = createRateMeter(50_000);
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
