import { stat } from 'node:fs/promises';
import type { ExportFormat } from '#shared/exchange/export-format.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import type { Library } from '../library/library.ts';
import { toSafeName } from '../downloads/output/safe-names.ts';
import { importFile, type GivenFile } from './import-file.ts';

/** What came of a file. */
export interface ImportedFile {
  searchNumber: number;
  fileName: string;
  format: ExportFormat;
  asOfMs: number;
  itemCount: number;
  takenCount: number;
  keptCount: number;
  /** Those that the catalog's list doesn't have, the first of them; none where the list isn't in the library. */
  unknownCollections: string[];
}

/** How an import is done. */
export interface KeepOptions {
  library: Library;
  nowMs: number;
  /** When the file was last changed; null to look. */
  modifiedAtMs: number | null;
  onProgress: (progress: { checkedCount: number; keptCount: number }) => void;
  signal: AbortSignal;
}

const maxUnknownTold = 20;

/**
 * Keeps the items of a file in a library, marked with where they came from. Fresher ones stay. Nothing is changed by a
 * file that is refused.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`, `transfer.*`, `library.*`, `cancelled`
 */
export async function keepImport(file: GivenFile, options: KeepOptions): Promise<ImportedFile> {
  const { library, nowMs, onProgress, signal } = options;
  const modifiedAtMs = options.modifiedAtMs ?? (await stat(file.path)).mtimeMs;
  const list = library.collections();
  const listed = list && new Set(list.value.map(({ id }) => id));
  const unknown = new Set<string>();
  const total = { checkedCount: 0, takenCount: 0, keptCount: 0 };
  const record: { searchNumber: number | null } = { searchNumber: null };
  const fileName = file.name.slice(0, 200);
  const facts = await importFile(file, {
    collectionId: toCollectionId(file.name),
    signal,
    onChecked: (checkedCount) => {
      total.checkedCount = checkedCount;
      onProgress({ checkedCount, keptCount: 0 });
    },
    onItems: async (items, { asOf, format }) => {
      const saidMs = asOf === null ? null : toEpochMicros(asOf);
      // A date that lies ahead would keep what the catalog gives from then on out.
      const asOfMs = Math.floor(Math.min(nowMs, saidMs === null ? modifiedAtMs : saidMs / 1000));
      record.searchNumber ??= await library.imports.begin({
        fileName,
        format: format ?? 'geojson',
        asOfMs,
        importedAtMs: nowMs,
      });
      const { takenCount, keptCount } = await library.imports.add(record.searchNumber, items);
      total.takenCount += takenCount;
      total.keptCount += keptCount;
      // Of a list that was never asked for, nothing can be said.
      for (const { ref } of items) if (listed?.has(ref.collectionId) === false) unknown.add(ref.collectionId);
      onProgress({ checkedCount: total.checkedCount, keptCount: total.takenCount + total.keptCount });
    },
  });
  const searchNumber = record.searchNumber ?? 0;
  return {
    searchNumber,
    fileName,
    format: facts.format ?? 'geojson',
    asOfMs: library.imports.ofSearch(searchNumber)?.asOfMs ?? nowMs,
    itemCount: total.takenCount + total.keptCount,
    takenCount: total.takenCount,
    keptCount: total.keptCount,
    unknownCollections: [...unknown].slice(0, maxUnknownTold),
  };
}

/** The collection of items that name none: the file. */
function toCollectionId(name: string): string {
  return toSafeName(name.replace(/\.[A-Za-z0-9]{1,8}$/, ''), { fallback: 'file' });
}
