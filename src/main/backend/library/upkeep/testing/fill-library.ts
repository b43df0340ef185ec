import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { ItemRef } from '#shared/stac/item.ts';
import type { Library } from '../../library.ts';
import { openLibrary } from '../../open-library.ts';
import { itemsOf, type Filling } from './make-items.ts';

/** A folder that is removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-upkeep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
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
