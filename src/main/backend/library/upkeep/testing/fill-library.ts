import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Library } from '../../library.ts';
import { openLibrary } from '../../open-library.ts';

/** A folder that is removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-upkeep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Which Items a library is filled with. */
export interface Filling {
  collectionId: string;
  from: number;
  count: number;
  fetchedAtMs: number;
}

/** The number of an Item in its collection tells its place: one degree of longitude each. */
export function anItem(collectionId: string, number: number): IdentifiedItem {
  const itemId = `${collectionId}-${String(number).padStart(6, '0')}`;
  const west = (number % 350) - 175;
  const south = Math.floor(number / 350) % 80;
  return {
    ref: { collectionId, itemId },
    item: {
      type: 'Feature',
      id: itemId,
      collection: collectionId,
      bbox: [west, south, west + 0.5, south + 0.5],
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [west + 0.5, south],
            [west + 0.5, south + 0.5],
            [west, south + 0.5],
            [west, south],
          ],
        ],
      },
      properties: {
        datetime: new Date(1_600_000_000_000 + number * 60_000).toISOString(),
        'eo:cloud_cover': number % 101,
        note: `${itemId} `.repeat(20),
      },
      assets: { visual: { href: `https://files.example/${itemId}.tif` } },
    },
  };
}

/** Items in a row, as a page of an answer. */
export function itemsOf({ collectionId, from, count }: Filling): IdentifiedItem[] {
  return Array.from({ length: count }, (_, index) => anItem(collectionId, from + index));
}

/** Saves Items and the search that brought them. */
export async function fill(library: Library, filling: Filling): Promise<ItemRef[]> {
  const items = itemsOf(filling);
  const refs = items.map(({ ref }) => ref);
  await library.saveItems(items, filling.fetchedAtMs);
  await library.saveSearch(
    {
      query: { collections: [filling.collectionId] },
      localFilter: null,
      items: refs,
      leftOutCount: 0,
      matched: refs.length,
      isComplete: true,
    },
    filling.fetchedAtMs,
  );
  return refs;
}

/** Makes a library with these Items in a file, and closes it. */
export async function makeLibrary(filePath: string, fillings: readonly Filling[]): Promise<void> {
  const library = openLibrary({ filePath });
  for (const filling of fillings) await fill(library, filling);
  await library.saveCollections(
    [...new Set(fillings.map(({ collectionId }) => collectionId))].map((id) => ({ id })),
    fillings[0]?.fetchedAtMs ?? 0,
  );
  await library.close();
}

/** Does something with the file itself. */
export function withFile<Result>(filePath: string, work: (database: Database.Database) => Result): Result {
  const database = new Database(filePath);
  database.pragma('foreign_keys = ON');
  try {
    return work(database);
  } finally {
    database.close();
  }
}
