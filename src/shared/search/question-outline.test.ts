import { expect, it } from 'vitest';
import type { SearchQuery } from './search-query.ts';
import { outlineQuestion, toQuestionKey } from './question-outline.ts';

const ring = Array.from({ length: 10_000 }, (_, index) => {
  const angle = (2 * Math.PI * index) / 9999;
  return [Math.cos(angle), Math.sin(angle)];
});
const round: SearchQuery = { collections: ['b', 'a'], intersects: { type: 'Polygon', coordinates: [ring] } };

it('is short however long the area is, and says how large that is', () => {
  const outline = outlineQuestion({ query: round, localFilter: null });
  expect(outline.query).toEqual({ collections: ['b', 'a'] });
  expect(outline.place).toMatch(/^area of [\d,]+ km²$/);
  expect(JSON.stringify(outline).length).toBeLessThan(200);
});

it('tells questions apart, and knows the same one again', () => {
  const moved = ring.map(([x = 0, y = 0], index) => (index === 5000 ? [x - 1e-9, y] : [x, y]));
  const keys = [
    toQuestionKey({ query: round, localFilter: null }),
    toQuestionKey({
      query: { ...round, intersects: { type: 'Polygon', coordinates: [moved] } },
      localFilter: null,
    }),
    toQuestionKey({ query: round, localFilter: { cloudCoverBelow: 30 } }),
    toQuestionKey({ query: {}, localFilter: null }),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(toQuestionKey({ query: { ...round, collections: ['a', 'b'] }, localFilter: null })).toBe(keys[0]);
});
