import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../state/search-draft.ts';
import { countReasons, describeCounts, describeExtent, describePart } from './describe-results.ts';
import { describeNothing } from './suggest-changes.ts';

describe('describeCounts', () => {
  it.each([
    [{ rowCount: 214, matched: 1180, hasMore: true }, '214 of about 1,180'],
    [{ rowCount: 214, matched: 1180, hasMore: true, leftOutCount: 80 }, '214 of at most 1,100'],
    [{ rowCount: 100, matched: null, hasMore: true }, '100, at least'],
    // A total below what has come is an estimate gone wrong: it is not shown.
    [{ rowCount: 100, matched: 90, hasMore: true }, '100, at least'],
    [{ rowCount: 1180, matched: 1180, hasMore: false }, '1,180 items'],
    [{ rowCount: 1, matched: 1, hasMore: false }, '1 item'],
    [{ rowCount: 0, matched: 0, hasMore: false }, 'No items'],
    [{ rowCount: 0, matched: null, hasMore: true }, '0, at least'],
  ])('says %j as "%s"', (counts, words) => {
    const { count, rest } = describeCounts(counts);
    expect(count + rest).toBe(words);
  });
});

it('says how far a cut answer came, without a total that is none', () => {
  expect(describeExtent({ count: 1000, matched: 2911 })).toBe('1,000 of about 2,911 items');
  expect(describeExtent({ count: 1000, matched: 900 })).toBe('1,000 items');
  expect(describeExtent({ count: 1, matched: null })).toBe('1 item');
});

it('says each reason once with its number', () => {
  expect(countReasons(['no id', 'no id', 'not a JSON object'])).toEqual(['2 × no id', 'not a JSON object']);
});

describe('where nothing matched', () => {
  const suggestChanges = (draft: typeof emptyDraft): string =>
    describeNothing({ coverage: null }, draft).hint;

  it('names only what the question has', () => {
    expect(suggestChanges(emptyDraft)).toBe('The catalog has no items.');
    expect(suggestChanges({ ...emptyDraft, time: { kind: 'span', from: '', to: '2026-01-01' } })).toBe(
      'Take a longer time, then search again.',
    );
    expect(
      suggestChanges({
        ...emptyDraft,
        cloud: { ...emptyDraft.cloud, isLimited: true },
        time: { kind: 'span', from: '2026-01-01', to: '' },
        area: { kind: 'view' },
      }),
    ).toBe('Allow more cloud, take a longer time or take a larger area, then search again.');
  });

  it('says of a library that may be incomplete that the catalog may have more', () => {
    const asOf = '2026-01-01T00:00:00Z';
    const seen = { collectionId: 'a', asOf: null, outlinesAsOf: null };
    expect(describeNothing({ coverage: [seen] }, emptyDraft).hint).toContain('the catalog may have more');
    const whole = { coverage: [{ collectionId: 'a', asOf, outlinesAsOf: asOf }] };
    expect(describeNothing(whole, emptyDraft).title).toBe('Nothing matches');
    const inPart = { coverage: [...whole.coverage, { ...seen, collectionId: 'b' }] };
    expect(describeNothing(inPart, emptyDraft).title).toBe('Nothing in the library matches');
    const outlines = { coverage: [{ ...seen, outlinesAsOf: asOf }] };
    expect(describeNothing(outlines, emptyDraft).hint).toContain('no footprint does');
  });
});

it('tells the whole answer from what has come of it, or what filters leave', () => {
  const rows = [1, 2, 3];
  expect(describePart({ rows, hasMore: false }, 3)).toEqual({ isAll: true, hint: '' });
  expect(describePart({ rows, hasMore: true }, 3)).toMatchObject({
    isAll: false,
    hint: expect.stringContaining('not loaded yet') as string,
  });
  expect(describePart({ rows, hasMore: false }, 2)).toEqual({
    isAll: false,
    hint: 'The 2 items that the filters leave, of 3',
  });
});
