import { expect, it } from 'vitest';
import { toQueryKey } from '#shared/search/query-key.ts';
import { outlineQuestion } from '#shared/search/question-outline.ts';
import { createPinTest } from './pinned-keys.ts';

const geometry = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [4, 45],
      [6, 45],
      [6, 47],
      [4, 45],
    ],
  ],
};

it('knows a pinned question by its outline, whatever its order, page size and local filter', () => {
  const query = { collections: ['b', 'a'], intersects: geometry, limit: 100 };
  const isPinned = createPinTest([toQueryKey(query), 'not this version’s']);
  const outlineOf = (more: object, localFilter: { cloudCoverBelow: number } | null = null) =>
    outlineQuestion({ query: { ...query, ...more }, localFilter });
  expect(isPinned(outlineOf({ collections: ['a', 'b'], limit: 10 }))).toBe(true);
  expect(isPinned(outlineOf({}, { cloudCoverBelow: 30 }))).toBe(true);
  expect(isPinned(outlineOf({ datetime: '2026-01-01T00:00:00Z' }))).toBe(false);
});
