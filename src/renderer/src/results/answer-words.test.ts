import { expect, it } from 'vitest';
import { describeAge, describeCoverage, describeEvicted } from './answer-words.ts';

const now = new Date('2026-11-20T12:00:00Z');
const options = { titleOf: (id: string) => id.toUpperCase(), now };

const early = '2026-11-18T14:02:00Z';
const late = '2026-11-20T10:00:00Z';
const whole = (collectionId: string | null, asOf: string) => ({ collectionId, asOf, outlinesAsOf: asOf });
const outlines = (collectionId: string | null) => ({ collectionId, asOf: null, outlinesAsOf: early });
const nothing = (collectionId: string | null) => ({ collectionId, asOf: null, outlinesAsOf: null });

it.each([
  [[whole(null, early)], true, 'complete as of 18 November 2026, 14:02 UTC'],
  [[nothing(null)], false, 'May be incomplete: only what was seen is here.'],
  [[whole('a', late), whole('b', early)], true, 'complete as of 18 November 2026, 14:02 UTC'],
  [[whole('a', late), nothing('b')], false, 'A: complete as of 10:00 UTC. B: only what was seen is here.'],
  [
    [outlines(null)],
    false,
    'Complete as of 18 November 2026, 14:02 UTC, but for items whose bounding box alone reaches into the area',
  ],
  [
    [whole('a', late), outlines('b'), nothing('c')],
    false,
    'A: complete as of 10:00 UTC. B: complete as of 18 November 2026, 14:02 UTC, but for items',
  ],
])('says of %j what is complete', (coverage, isComplete, words) => {
  const said = describeCoverage(coverage, options);
  expect(said.isComplete).toBe(isComplete);
  expect(said.words).toContain(words);
});

it('says how far apart the oldest and the newest are', () => {
  expect(describeAge({ asOf: '2026-11-18T14:02:00Z', oldestAsOf: '2026-11-18T10:00:00Z' }, now)).toBe(
    'as of 18 November 2026, 14:02 UTC',
  );
  expect(describeAge({ asOf: '2026-11-18T14:02:00Z', oldestAsOf: '2026-11-01T10:00:00Z' }, now)).toBe(
    'fetched from 1 November 2026 to 18 November 2026',
  );
});

it('says how much of a past search was evicted', () => {
  expect(describeEvicted({ count: 183, evictedCount: 172 })).toBe(
    '172 of its 183 items are no longer here: they were evicted.',
  );
  // With a local filter, which left out some of what came.
  expect(describeEvicted({ count: null, evictedCount: 1 })).toBe(
    '1 of the items that it brought is no longer here: it was evicted.',
  );
});
