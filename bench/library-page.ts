import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import type { Bench } from './bench.ts';

const itemCount = 50_000;

/**
 * A sorted page of 100 for a small area with a cloud filter, out of the library, against scanning the same Items
 * in memory: what a program without an index would do at best.
 */
export const libraryPage: Bench = {
  name: 'library-page',
  unit: 'ms',
  target: { ratio: 0.5 },
  async prepare() {
    const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
    const library = openLibrary({ filePath: join(folder, 'library.sqlite') });
    const items = Array.from({ length: itemCount }, (_, number) => anItem(number));
    for (let start = 0; start < itemCount; start += 500)
      await library.saveItems(items.slice(start, start + 500), 0);
    const query = { bbox: [10, 10, 14, 14] as const, query: { 'eo:cloud_cover': { lt: 50 } } };
    return {
      rounds: 30,
      ours: async () => {
        await library.engine.search({ ...query, bbox: [...query.bbox] }, { limit: 100 });
      },
      reference: () => void scan(items, query.bbox),
      close: async () => {
        await library.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

function anItem(number: number): IdentifiedItem {
  const west = ((number * 7919) % 3_600_000) / 10_000 - 180;
  const south = ((number * 104_729) % 1_600_000) / 10_000 - 80;
  const [east, north] = [west + 1, south + 1];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const item = {
    id: `item-${number}`,
    collection: 'bench',
    bbox: [west, south, east, north],
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: {
      datetime: new Date(1.7e12 + number * 60_000).toISOString(),
      'eo:cloud_cover': (number * 31) % 100,
    },
  };
  return { ref: { collectionId: 'bench', itemId: item.id }, item };
}

function scan(
  items: readonly IdentifiedItem[],
  [west, south, east, north]: readonly [number, number, number, number],
) {
  return items
    .filter(({ item }) => {
      const [w = 0, s = 0, e = 0, n = 0] = item['bbox'] as number[];
      const properties = item['properties'] as { 'eo:cloud_cover': number };
      return w <= east && e >= west && s <= north && n >= south && properties['eo:cloud_cover'] < 50;
    })
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, 100);
}

function timeOf({ item }: IdentifiedItem): string {
  return (item['properties'] as { datetime: string }).datetime;
}
