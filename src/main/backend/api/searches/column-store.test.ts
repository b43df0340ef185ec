import { expect, it } from 'vitest';
import { createColumnStore } from './column-store.ts';

const item = (properties: Record<string, unknown>, id = 'x') => ({ id, properties });

it('calls a property by what all of its values are', () => {
  const store = createColumnStore({ maxBytes: 1e6 });
  store.add([
    item({ n: 1, mixed: 1, time: '2026-01-01T00:00:00Z', late: null, words: ['VV', 'VH'], nested: { a: 1 } }),
    item({ n: 2.5, mixed: 'one', time: 'yesterday', late: false, text: 'x'.repeat(500) }),
  ]);
  expect(Object.fromEntries(store.summaries().map(({ name, kind }) => [name, kind]))).toEqual({
    n: 'number',
    mixed: 'text',
    time: 'text',
    late: 'boolean',
    words: 'text',
  });
  expect(store.values('mixed')).toEqual(['1', 'one']);
  expect(store.values('words')).toEqual(['VV, VH']);
  expect(store.values('late')).toEqual([null, false]);
});

it('keeps names that objects have of themselves', () => {
  const store = createColumnStore({ maxBytes: 1e6 });
  store.add([item(JSON.parse('{"__proto__": "a", "constructor": 2}') as Record<string, unknown>)]);
  expect([store.values('__proto__'), store.values('constructor'), store.values('toString')]).toEqual([
    ['a'],
    [2],
    [],
  ]);
});

it('stops where its memory ends, and says after how many rows', () => {
  const store = createColumnStore({ maxBytes: 20_000 });
  for (let row = 0; row < 10; row += 1) {
    store.add(Array.from({ length: 100 }, (_, index) => item({ id: `unique-${row}-${index}` })));
  }
  expect(store.coveredCount).toBeGreaterThan(100);
  expect(store.coveredCount).toBeLessThan(300);
  expect(store.values('id')).toHaveLength(store.coveredCount);
});

it('passes over properties beyond a few hundred', () => {
  const store = createColumnStore({ maxBytes: 1e7 });
  store.add([item(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, index])))]);
  expect(store.summaries().length).toBeLessThan(1000);
});
