import { describe, expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createRangeRamp } from './range-ramp.ts';

const plenty = { leftBytes: 1e12, most: 4 };

/** Lets seconds pass in which bytes come as fast as so many connections bring them, each some time after it was begun. */
function run(rateOf: (count: number) => number, options = plenty, { ms = 3000, beginMs = 0 } = {}): number {
  const time = createManualTime();
  const ramp = createRangeRamp(time.timers);
  const counts: number[] = [];
  for (let passed = 0; passed < ms; passed += 10) {
    time.advance(10);
    counts.push(ramp.count);
    const bringing = Math.min(ramp.count, counts.at(-1 - beginMs / 10) ?? 1);
    ramp.note(rateOf(bringing) * 10, { ...options, bringing });
  }
  return ramp.count;
}

describe('the number of connections of a file', () => {
  it('grows as long as all of them bring a tenth more', () => {
    expect(run((count) => count * 25_000)).toBe(4);
    expect(run((count) => count * 5000, { ...plenty, most: 16 })).toBe(16);
    expect(run((count) => Math.min(count, 9) * 5000, { ...plenty, most: 16 })).toBe(9);
    expect(run((count) => Math.min(count, 2) * 25_000)).toBe(2);
    expect(run(() => 100_000)).toBe(1);
    expect(run((count) => count * 25_000, { ...plenty, most: 3 })).toBe(3);
  });

  it('is not one for good because of a moment in which nothing went well', () => {
    let calls = 0;
    const rateOf = (count: number) => ((calls += 1) > 15 && calls < 60 ? 5000 : count * 25_000);
    expect(run(rateOf, plenty, { ms: 5000 })).toBe(4);
  });

  it('waits for those that are far away to bring something', () => {
    expect(run((count) => count * 25_000, plenty, { ms: 1500, beginMs: 500 })).toBe(4);
  });

  it('stays one when the rest is a matter of a moment', () => {
    expect(run((count) => count * 25_000, { ...plenty, leftBytes: 20_000_000 })).toBe(1);
  });
});
