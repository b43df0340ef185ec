import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from './library.ts';
import { markGone } from './mark-gone.ts';
import { openLibrary } from './open-library.ts';

let folder: string;
let library: Library;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-imports-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
});

afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

function makeItem(itemId: string, title: string): IdentifiedItem {
  return {
    ref: { collectionId: 'optical', itemId },
    item: { id: itemId, collection: 'optical', properties: { title } },
  };
}

const origin = { fileName: 'lakes.geojson', format: 'geojson', asOfMs: 2000, importedAtMs: 9000 };
const titleOf = (itemId: string) =>
  library.item({ collectionId: 'optical', itemId })?.value.item['properties'];

describe('an item that the catalog no longer has', () => {
  it('is back by an answer of after that, not by one of before', async () => {
    const one = makeItem('a', 'catalog');
    await library.saveItems([one], 1000);
    await library.markGone([one.ref], 3000);
    const save = (fetchedAtMs: number) =>
      library.saveSearch(
        { query: {}, localFilter: null, items: [one.ref], leftOutCount: 0, matched: 1, isComplete: true },
        fetchedAtMs,
      );
    await save(2000);
    expect(library.marksOf([one.ref])).toMatchObject([{ goneAtMs: 3000 }]);
    await save(4000);
    expect(library.marksOf([one.ref])).toMatchObject([{ goneAtMs: null }]);
  });
});

describe('items from files', () => {
  it('are kept in their order, with where they came from', async () => {
    const number = await library.imports.begin(origin);
    expect(await library.imports.add(number, [makeItem('b', 'file'), makeItem('a', 'file')])).toEqual({
      takenCount: 2,
      keptCount: 0,
    });
    await library.imports.add(number, [makeItem('c', 'file')]);
    expect(library.runs.items(number, { from: 0, limit: 9 }).map(({ ref }) => ref.itemId)).toEqual([
      'b',
      'a',
      'c',
    ]);
    expect(library.imports.ofItem({ collectionId: 'optical', itemId: 'a' })).toEqual(origin);
    expect(library.imports.ofSearch(number)).toEqual(origin);
    expect(library.item({ collectionId: 'optical', itemId: 'a' })?.fetchedAtMs).toBe(2000);
  });

  it('are not called gone when the whole catalog has none of them', async () => {
    const number = await library.imports.begin(origin);
    await library.imports.add(number, [makeItem('a', 'file')]);
    const answer = { items: [], leftOutCount: 0, matched: 0, isComplete: true };
    const searchNumber = await library.saveSearch({ query: {}, localFilter: null, ...answer }, 3000);
    expect(await markGone(library, { searchNumber, query: {}, beganAtMs: 3000 })).toBe(0);
    expect(library.marksOf([{ collectionId: 'optical', itemId: 'a' }])).toMatchObject([{ goneAtMs: null }]);
  });

  it('count once where a file has them twice', async () => {
    const number = await library.imports.begin({ ...origin, format: 'stac' });
    const twice = [makeItem('a', 'first'), makeItem('b', 'file'), makeItem('a', 'second')];
    expect(await library.imports.add(number, twice)).toEqual({ takenCount: 2, keptCount: 1 });
    expect(await library.imports.add(number, [makeItem('a', 'third'), makeItem('c', 'file')])).toEqual({
      takenCount: 1,
      keptCount: 1,
    });
    const listed = library.runs.items(number, { from: 0, limit: 9 });
    expect(listed.map(({ ref }) => ref.itemId)).toEqual(['a', 'b', 'c']);
    expect(titleOf('a')).toEqual({ title: 'first' });
  });

  it('never take the place of fresher ones, and take that of older ones', async () => {
    await library.saveItems([makeItem('fresher', 'catalog')], 3000);
    await library.saveItems([makeItem('older', 'catalog')], 1000);
    const number = await library.imports.begin({ ...origin, format: 'stac' });
    const count = await library.imports.add(number, [makeItem('fresher', 'file'), makeItem('older', 'file')]);
    expect(count).toEqual({ takenCount: 1, keptCount: 1 });
    expect(titleOf('fresher')).toEqual({ title: 'catalog' });
    expect(titleOf('older')).toEqual({ title: 'file' });
    expect(library.imports.ofItem({ collectionId: 'optical', itemId: 'fresher' })).toBeNull();
    expect(library.runs.items(number, { from: 0, limit: 9 })).toHaveLength(2);
  });

  it.each(['csv', 'geojson'])('of %s, which has no assets, only take the place of such', async (format) => {
    await library.saveItems([makeItem('catalog', 'catalog')], 1000);
    const first = await library.imports.begin({ ...origin, format, asOfMs: 1000 });
    await library.imports.add(first, [makeItem('own', 'first')]);
    const second = await library.imports.begin({ ...origin, format });
    const both = [makeItem('catalog', 'second'), makeItem('own', 'second')];
    expect(await library.imports.add(second, both)).toEqual({ takenCount: 1, keptCount: 1 });
    expect(titleOf('catalog')).toEqual({ title: 'catalog' });
    expect(titleOf('own')).toEqual({ title: 'second' });
    expect(library.runs.items(second, { from: 0, limit: 9 })).toHaveLength(2);
  });

  it('are the catalog’s once it gives them', async () => {
    const number = await library.imports.begin(origin);
    await library.imports.add(number, [makeItem('a', 'file')]);
    await library.saveItems([makeItem('a', 'catalog')], 5000);
    expect(library.imports.ofItem({ collectionId: 'optical', itemId: 'a' })).toBeNull();
    expect(titleOf('a')).toEqual({ title: 'catalog' });
  });

  it('prove nothing about what the catalog has', async () => {
    const number = await library.imports.begin(origin);
    await library.imports.add(number, [makeItem('a', 'file')]);
    expect(library.runs.completeRuns()).toEqual([]);
    expect(library.pastSearches({ limit: 9 })).toMatchObject([{ searchNumber: number, count: 1 }]);
  });
});
