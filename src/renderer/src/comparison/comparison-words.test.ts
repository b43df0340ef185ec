import { expect, it } from 'vitest';
import type { Run } from '../state/comparison-state.svelte.ts';
import { describeCaveats, describeRuns } from './comparison-words.ts';

const run = (searchNumber: number, askedAt: string): Run => ({
  searchNumber,
  askedAt,
  count: 3,
  isComplete: true,
  matched: 3,
  evictedCount: 0,
});

it('tells searches of the same minute apart', () => {
  const runs = [
    run(3, '2026-11-20T14:02:59Z'),
    run(2, '2026-11-20T14:02:07Z'),
    run(1, '2026-11-20T13:00:00Z'),
  ];
  expect(describeRuns(runs, new Date('2026-11-20T15:00:00Z'))).toEqual([
    '14:02:59 UTC · 3 items',
    '14:02:07 UTC · 3 items',
    '13:00 UTC · 3 items',
  ]);
});

it('says what can’t be told of what was cut or evicted', () => {
  const [newer, older] = [run(2, '2026-11-20T14:02:07Z'), run(1, '2026-11-20T13:00:00Z')];
  expect(describeCaveats({ older, newer })).toEqual([]);
  expect(describeCaveats({ older: { ...older, evictedCount: 172 }, newer })).toEqual([
    '172 items of the earlier search were evicted: what looks new may have been there before.',
  ]);
  const cut = { ...newer, isComplete: false, evictedCount: 1 };
  expect(describeCaveats({ older, newer: cut })).toEqual([
    'The later search was cut before the end: what is new or gone may only lie beyond the cut.',
    '1 item of the later search was evicted: what was new or changed of that isn’t told.',
  ]);
});
