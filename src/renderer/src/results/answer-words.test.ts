import { expect, it } from 'vitest';
import { describeAge, describeCoverage } from './answer-words.ts';

const now = new Date('2026-11-20T12:00:00Z');
const options = { titleOf: (id: string) => id.toUpperCase(), now };

it.each([
  [
    [{ collectionId: null, asOf: '2026-11-18T14:02:00Z' }],
    true,
    'complete as of 18 November 2026, 14:02 UTC',
  ],
  [[{ collectionId: null, asOf: null }], false, 'May be incomplete: only what was seen is here.'],
  [
    [
      { collectionId: 'a', asOf: '2026-11-20T10:00:00Z' },
      { collectionId: 'b', asOf: '2026-11-18T14:02:00Z' },
    ],
    true,
    'complete as of 18 November 2026, 14:02 UTC',
  ],
  [
    [
      { collectionId: 'a', asOf: '2026-11-20T10:00:00Z' },
      { collectionId: 'b', asOf: null },
    ],
    false,
    'A: complete as of 10:00 UTC. B: only what was seen is here.',
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
