import { describe, expect, it } from 'vitest';
import type { PastSearch } from '../state/saved-state.svelte.ts';
import { describeGone } from '../format/describe-gone.ts';
import { describeAnswer } from './search-words.ts';

describe('what is kept of an answer', () => {
  const answer = { count: 100, matched: null, isComplete: false, fileName: null } as PastSearch;

  it('is said to be all, so many of how many, or at least so many', () => {
    expect(describeAnswer({ ...answer, isComplete: true })).toBe('all 100 items');
    expect(describeAnswer({ ...answer, matched: 1180 })).toBe('100 of about 1,180');
    expect(describeAnswer(answer)).toBe('at least 100 items');
  });

  it('is what a file held, of which nothing was cut', () => {
    expect(describeAnswer({ ...answer, fileName: 'fields.geojson' })).toBe('100 items');
  });
});

it('does not say of an item from a file that the catalog once had it', () => {
  const goneAt = '2026-11-20T10:00:00Z';
  expect(describeGone(goneAt)).toMatch(/^The catalog no longer has this item/);
  expect(describeGone(goneAt, { isFromFile: true })).toMatch(/^The catalog does not have this item/);
});
