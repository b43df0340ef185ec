import type { Database } from 'better-sqlite3';
import type { ExportFormat } from '#shared/exchange/export-format.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { CollectionKeys } from './collection-keys.ts';
import type { ItemStore } from './item-store.ts';

/** A file that Items came from, in the place of the catalog. */
export interface ImportOrigin {
  /** What the person knew the file by. */
  fileName: string;
  format: string;
  /** When the catalog gave the Items, as far as the file says. */
  asOfMs: number;
  importedAtMs: number;
}

/** What became of a batch. */
export interface ImportCount {
  takenCount: number;
  /** Items that are in the library, as fresh or with more to them; they stayed as they were. */
  keptCount: number;
}

/** Where Items are from that no catalog gave. One that the catalog gives later is the catalog's. */
export interface LibraryImports {
  /** Begins the record of a file: a past search that no question leads to. Returns its number. */
  begin(origin: ImportOrigin): Promise<number>;
  /**
   * Adds Items to it. Fresher ones stay as they are, and belong to the record all the same; so do those that a catalog gave,
   * or a file of STAC Items, where this file is flat.
   */
  add(searchNumber: number, items: readonly IdentifiedItem[]): Promise<ImportCount>;
  /** The same for Items that are here already, and which of them are from the file. */
  note(batch: ImportedBatch): Promise<void>;
  /** The file of a past search; null for one that was asked of a catalog. */
  ofSearch(searchNumber: number): ImportOrigin | null;
  /** The file of an Item; null for one that a catalog gave. */
  ofItem(ref: ItemRef): ImportOrigin | null;
}

/** What became of Items of a file, once those that were taken are written. */
export interface ImportedBatch {
  searchNumber: number;
  /** All of them, in their order. */
  refs: readonly ItemRef[];
  takenRefs: readonly ItemRef[];
}

/** The part of it that writes, in the writing thread. */
export interface ImportWriter {
  begin(origin: ImportOrigin): number;
  note(batch: ImportedBatch): void;
}

/** Files that have no room for assets and links: their Items never take the place of others that may have them. */
const flatFormats: readonly string[] = ['csv', 'geojson'] satisfies ExportFormat[];

const columns = `file_name AS fileName, format, as_of_ms AS asOfMs, imported_at_ms AS importedAtMs`;

interface ImportParts {
  saveItems: (items: readonly IdentifiedItem[], fetchedAtMs: number) => Promise<void>;
  marksOf: (refs: readonly ItemRef[]) => ({ fetchedAtMs: number; isPartial: boolean } | null)[];
  begin: (origin: ImportOrigin) => Promise<number>;
  note: (batch: ImportedBatch) => Promise<void>;
}

/** What a library does with the Items of files. */
export function createImports(database: Database, keys: CollectionKeys, parts: ImportParts): LibraryImports {
  const reader = createImportReader(database, keys);
  return {
    ...reader,
    begin: parts.begin,
    note: parts.note,
    async add(searchNumber, items) {
      const { asOfMs = 0, format = '' } = reader.ofSearch(searchNumber) ?? {};
      const isFlat = flatFormats.includes(format);
      const refs = items.map(({ ref }) => ref);
      const marks = parts.marksOf(refs);
      const seen = new Set<string>();
      const taken = items.filter(({ ref }, index) => {
        const kept = marks[index];
        // Of those that a file has twice the first counts.
        const key = JSON.stringify([ref.collectionId, ref.itemId]);
        if (seen.has(key)) return false;
        seen.add(key);
        if (!kept) return true;
        if (isFlat && !flatFormats.includes(reader.ofItem(ref)?.format ?? '')) return false;
        return kept.isPartial || kept.fetchedAtMs < asOfMs;
      });
      if (taken.length > 0) await parts.saveItems(taken, asOfMs);
      await parts.note({ searchNumber, refs, takenRefs: taken.map(({ ref }) => ref) });
      return { takenCount: taken.length, keptCount: items.length - taken.length };
    },
  };
}

function createImportReader(
  database: Database,
  keys: CollectionKeys,
): Pick<LibraryImports, 'ofSearch' | 'ofItem'> {
  const bySearch = database.prepare<[number], ImportOrigin>(
    `SELECT ${columns} FROM import WHERE search_number = ?`,
  );
  const byItem = database.prepare<[number, string], ImportOrigin>(
    `SELECT ${columns} FROM item JOIN imported_item ON item_pk = pk JOIN import ON import.number = import_number
       WHERE collection_pk = ? AND id = ?`,
  );
  return {
    ofSearch: (searchNumber) => bySearch.get(searchNumber) ?? null,
    ofItem({ collectionId, itemId }) {
      const collectionPk = keys.findKey(collectionId);
      return collectionPk === null ? null : (byItem.get(collectionPk, itemId) ?? null);
    },
  };
}

/** Prepares the statements that write. */
export function createImportWriter(database: Database, items: ItemStore): ImportWriter {
  const addSearch = database.prepare<[string, number]>(
    `INSERT INTO search (query_key, query, is_complete, fetched_at_ms) VALUES (?, '{}', 0, ?)`,
  );
  const nameSearch = database.prepare('UPDATE search SET query_key = ? WHERE number = ?');
  const addImport = database.prepare(
    `INSERT INTO import (search_number, file_name, format, as_of_ms, imported_at_ms)
       VALUES (:searchNumber, :fileName, :format, :asOfMs, :importedAtMs)`,
  );
  const find = database
    .prepare<[number], number>('SELECT number FROM import WHERE search_number = ?')
    .pluck();
  const mark = database.prepare(
    'INSERT OR REPLACE INTO imported_item (item_pk, import_number) VALUES (?, ?)',
  );
  const nextPosition = database
    .prepare<[number], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM search_item WHERE search_number = ?',
    )
    .pluck();
  const addItem = database.prepare(
    `INSERT INTO search_item (search_number, position, item_pk) SELECT :searchNumber, :position, :pk
       WHERE NOT EXISTS (SELECT 1 FROM search_item WHERE item_pk = :pk AND search_number = :searchNumber)`,
  );

  const note = database.transaction(({ searchNumber, refs, takenRefs }: ImportedBatch) => {
    const importNumber = find.get(searchNumber);
    const pksOf = (some: readonly ItemRef[]) => some.flatMap((ref) => items.findPk(ref) ?? []);
    let position = nextPosition.get(searchNumber) ?? 0;
    for (const pk of pksOf(refs)) position += addItem.run({ searchNumber, position, pk }).changes;
    if (importNumber !== undefined) for (const pk of pksOf(takenRefs)) mark.run(pk, importNumber);
  });

  return {
    begin: database.transaction((origin: ImportOrigin) => {
      const searchNumber = Number(addSearch.run('', origin.asOfMs).lastInsertRowid);
      // No question has this key: a file is no answer to one, and proves nothing about what a catalog has.
      nameSearch.run(`import ${String(searchNumber)}`, searchNumber);
      addImport.run({ ...origin, searchNumber });
      return searchNumber;
    }),
    // It reads first: another program that writes in between would have it fail without waiting.
    note: (batch) => note.immediate(batch),
  };
}
