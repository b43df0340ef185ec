import { describe, expect, it } from 'vitest';
import type { PastSearch } from '../state/saved-state.svelte.ts';
import { describeGone } from './describe-gone.ts';
import { describeAnswer, isWhole } from './describe-answer.ts';

describe('what is kept of an answer', () => {
  const answer = {
    count: 100,
    evictedCount: 0,
    matched: null,
    isComplete: false,
    fileName: null,
    outline: { query: {}, place: null, localFilter: null, key: 'a' },
  } as unknown as PastSearch;

  it('is said to be all, so many of how many, or at least so many', () => {
    expect(describeAnswer({ ...answer, isComplete: true })).toBe('all 100 items');
    expect(describeAnswer({ ...answer, matched: 1180 })).toBe('100 of about 1,180');
    expect(describeAnswer(answer)).toBe('at least 100 items');
  });

  it('is what a file held, of which nothing was cut', () => {
    expect(describeAnswer({ ...answer, fileName: 'fields.geojson' })).toBe('100 items');
  });

  it('is no longer whole once items were evicted', () => {
    const whole = { ...answer, count: 183, isComplete: true };
    const evicted = { ...whole, evictedCount: 172 };
    expect([isWhole(whole), isWhole(evicted), isWhole(answer)]).toEqual([true, null, false]);
    expect(describeAnswer(evicted)).toBe(
      '11 of 183 items are still here; 172 were evicted to keep the limits',
    );
    const filtered = { ...evicted, outline: { ...answer.outline, localFilter: { cloudCoverBelow: 20 } } };
    expect(describeAnswer(filtered)).toBe('183 items; some of what came was evicted to keep the limits');
  });
});

it('does not say of an item from a file that the catalog once had it', () => {
  const goneAt = '2026-11-20T10:00:00Z';
  expect(describeGone(goneAt)).toMatch(/^The catalog no longer has this item/);
  expect(describeGone(goneAt, { isFromFile: true })).toMatch(/^The catalog does not have this item/);
});
