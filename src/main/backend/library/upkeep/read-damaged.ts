import { statSync } from 'node:fs';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { ImportOrigin } from '../import-store.ts';
import type { KeptSearch, Thumbnail } from '../library.ts';
import { latestCollections, readItemRow, readThumbnailRow, RowIndex } from './damaged-library.ts';
import { openPages, type DamagedPages } from './damaged-pages.ts';
import { findFreePages, readRows, type FoundRow } from './damaged-rows.ts';
import { partOf, report, type WorkWatch } from './work-watch.ts';

/** Things found in a damaged library, each with when it was fetched. */
export type FoundPart = { fetchedAtMs: number } & (
  | { kind: 'items'; items: IdentifiedItem[] }
  | { kind: 'thumbnail'; ref: ItemRef; thumbnail: Thumbnail }
  | { kind: 'collections'; collections: StacCollection[] }
  | { kind: 'queryables'; collectionIds: string[]; answer: JsonObject }
  | { kind: 'search'; search: KeptSearch }
  | { kind: 'file'; origin: ImportOrigin; refs: ItemRef[] }
);

/** What was found, and of how many Items only a trace was left. */
export interface ReadingOutcome {
  itemCount: number;
  lostItemCount: number;
}

const itemsPerPart = 50;

/**
 * Reads what can be read of a damaged library, page by page, giving each part on as it is found: collections, Items,
 * pictures, then searches. @throws AppError `cancelled`
 */
export async function readDamaged(
  filePath: string,
  { onPart, watch }: { onPart: (part: FoundPart) => Promise<void>; watch: WorkWatch },
): Promise<ReadingOutcome> {
  const pages = openPages(filePath);
  try {
    const reading = new DamagedReading(pages, { onPart, fallbackMs: Math.round(statSync(filePath).mtimeMs) });
    return await reading.run(watch);
  } finally {
    pages.close();
  }
}

class DamagedReading {
  readonly #pages: DamagedPages;
  readonly #onPart: (part: FoundPart) => Promise<void>;
  readonly #fallbackMs: number;
  readonly #free: ReadonlySet<number>;
  readonly #index = new RowIndex();
  readonly #refs = new Map<number, ItemRef>();
  #batch: { items: IdentifiedItem[]; fetchedAtMs: number } = { items: [], fetchedAtMs: 0 };

  constructor(
    pages: DamagedPages,
    { onPart, fallbackMs }: { onPart: (part: FoundPart) => Promise<void>; fallbackMs: number },
  ) {
    this.#pages = pages;
    this.#onPart = onPart;
    this.#fallbackMs = fallbackMs;
    this.#free = findFreePages(pages);
  }

  async run(watch: WorkWatch): Promise<ReadingOutcome> {
    await this.#walk(partOf(watch, 0, 0.2), (row) => {
      this.#index.add(row);
      return null;
    });
    await this.#giveCatalog();
    await this.#walk(partOf(watch, 0.2, 0.8), (row) => this.#takeItem(row));
    await this.#giveBatch();
    await this.#walk(partOf(watch, 0.8, 0.95), (row) => this.#takeThumbnail(row));
    await this.#giveSearches();
    report(watch, 1);
    const lost = Math.max(0, this.#index.itemCount - this.#refs.size);
    return { itemCount: this.#refs.size, lostItemCount: lost };
  }

  async #walk(watch: WorkWatch, take: (row: FoundRow) => Promise<void> | null): Promise<void> {
    const { pageCount } = this.#pages;
    for (let number = 1; number <= pageCount; number += 1) {
      if (number % 256 === 1) report(watch, number / pageCount);
      if (this.#free.has(number)) continue;
      for (const row of readRows(this.#pages, number)) await take(row);
    }
  }

  async #giveCatalog(): Promise<void> {
    const latest = latestCollections(this.#index);
    if (latest) await this.#onPart({ kind: 'collections', ...latest });
    for (const found of this.#index.queryables) await this.#onPart({ kind: 'queryables', ...found });
  }

  #takeItem(row: FoundRow): Promise<void> | null {
    const found = readItemRow(row, this.#index, this.#fallbackMs);
    if (!found) return null;
    this.#refs.set(found.itemPk, found.one.ref);
    const { items, fetchedAtMs } = this.#batch;
    const isSameBatch = fetchedAtMs === found.fetchedAtMs && items.length < itemsPerPart;
    if (isSameBatch) {
      items.push(found.one);
      return null;
    }
    const given = this.#giveBatch();
    this.#batch = { items: [found.one], fetchedAtMs: found.fetchedAtMs };
    return given;
  }

  async #giveBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = { items: [], fetchedAtMs: 0 };
    if (batch.items.length > 0) await this.#onPart({ kind: 'items', ...batch });
  }

  #takeThumbnail(row: FoundRow): Promise<void> | null {
    const found = readThumbnailRow(row);
    const ref = found && this.#refs.get(found.itemPk);
    if (!found || !ref) return null;
    const { thumbnail, fetchedAtMs } = found;
    return this.#onPart({ kind: 'thumbnail', ref, thumbnail, fetchedAtMs });
  }

  async #giveSearches(): Promise<void> {
    const oldestFirst = this.#index.searches.sort((a, b) => a.searchNumber - b.searchNumber);
    for (const { searchNumber, fetchedAtMs, ...search } of oldestFirst) {
      const items: ItemRef[] = [];
      const contentHashes: number[] = [];
      let isWithoutGap = true;
      for (const [position, { itemPk, contentHash }] of this.#index.membersOf(searchNumber)) {
        const ref = this.#refs.get(itemPk);
        isWithoutGap &&= position === items.length;
        if (!ref) continue;
        items.push(ref);
        if (contentHash !== null) contentHashes.push(contentHash);
      }
      const origin = this.#index.files.get(searchNumber);
      if (origin) {
        await this.#onPart({ kind: 'file', origin, refs: items, fetchedAtMs });
        continue;
      }
      const isWhole = contentHashes.length === items.length;
      // That the last of them are here too is only sure where the catalog said how many there are.
      const isComplete = search.isComplete && isWithoutGap && search.matched === items.length;
      await this.#onPart({
        kind: 'search',
        search: { ...search, items, isComplete, ...(isWhole ? { contentHashes } : {}) },
        fetchedAtMs,
      });
    }
  }
}
