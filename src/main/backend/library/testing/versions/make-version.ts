/**
 * Makes the test library of an earlier schema version. Run by the code of that version: check a commit of it out beside
 * this one, and there `node <this file> <the commit's src/main/backend/library/open-library.ts> <file to make>`.
 */
import { pathToFileURL } from 'node:url';

interface EarlierLibrary {
  saveItems(items: readonly unknown[], fetchedAtMs: number): unknown;
  saveCollections(collections: readonly unknown[], fetchedAtMs: number): unknown;
  saveSearch(search: unknown, fetchedAtMs: number): unknown;
  close(): unknown;
}

const [, , modulePath = '', filePath = ''] = process.argv;
const earlier = (await import(pathToFileURL(modulePath).href)) as {
  openLibrary(options: { filePath: string }): EarlierLibrary;
};
const library = earlier.openLibrary({ filePath });
const items = Array.from({ length: 12 }, (_, number) => {
  const [itemId, west] = [`S2B_31UFS_2026010${String(number % 9)}_${String(number)}_L2A`, number * 2 - 10];
  const bbox = [west, 40, west + 1, 41];
  const [w = 0, s = 0, e = 0, n = 0] = bbox;
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
  const item = {
    type: 'Feature',
    id: itemId,
    collection: 'c',
    bbox,
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: {
      datetime: `2026-01-${String(number + 1).padStart(2, '0')}T10:00:00Z`,
      'eo:cloud_cover': number * 8,
      platform: number % 2 === 0 ? 'sentinel-2a' : 'sentinel-2b',
    },
    assets: { B02: { href: `https://data.example/${itemId}/B02.tif` } },
    links: [],
  };
  return { ref: { collectionId: 'c', itemId }, item };
});
await library.saveCollections([{ id: 'c', title: 'Oblique views' }], 1000);
await library.saveItems(items, 1000);
await library.saveSearch(
  {
    query: { collections: ['c'] },
    localFilter: null,
    items: items.map(({ ref }) => ref),
    leftOutCount: 0,
    matched: items.length,
    isComplete: true,
  },
  1000,
);
await library.close();
