import { expect, it } from 'vitest';
import { toQueryKey } from './query-key.ts';

it('is the same for the same question in another order or page size, and differs for another question', () => {
  const key = toQueryKey({ collections: ['a', 'b'], query: { x: { lt: 1, gt: 0 } }, limit: 10 });
  expect(
    toQueryKey({ query: { x: { gt: 0, lt: 1 } }, collections: ['b', 'a'], limit: 50, ids: undefined }),
  ).toBe(key);
  expect(toQueryKey({ collections: ['a', 'b'], query: { x: { gt: 0, lt: 2 } } })).not.toBe(key);
  expect(toQueryKey({ bbox: [0, 1, 2, 3] })).not.toBe(toQueryKey({ bbox: [1, 0, 2, 3] }));
});
