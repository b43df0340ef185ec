import { describe, expect, it } from 'vitest';
import { createRecentMap } from './recent-map.ts';

describe('a map of what was used last', () => {
  it('forgets what was used longest ago', () => {
    const map = createRecentMap<number>({ maxSize: 2 });
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });

  it('forgets the oldest while all together are too heavy, as they weigh now, but never the last few', () => {
    const map = createRecentMap<number[]>({
      maxSize: 9,
      weigh: ({ length }) => length,
      maxWeight: 3,
      lightSize: 2,
    });
    const grown = [1];
    for (const [key, value] of Object.entries({ a: grown, b: [1], c: [1] })) map.set(key, value);
    grown.push(2, 3);
    map.set('d', [1, 2]);
    const kept = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => map.get(key) !== undefined);
    expect(kept()).toEqual(['c', 'd']);
    map.set('e', [1, 2, 3, 4, 5]);
    expect(kept()).toEqual(['d', 'e']);
  });
});
