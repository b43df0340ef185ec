import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { noteAge, type AgedItems } from './note-age.ts';
import { toTemporaryPath } from './output-file.ts';
import { toReadOnlyError } from '../library/upkeep/check-writable.ts';
import { openToRead } from '../library/upkeep/open-to-read.ts';
import { itemsByQuery, passing, refsOfRun } from './item-batches.ts';
import { keepImport, type ImportedFile } from './keep-import.ts';
import { withFields } from './with-fields.ts';

/** Items of a library, to be written. */
export interface KeptItems extends AgedItems {
  collections: readonly StacCollection[];
}

/** A library whose items leave or enter it by one command. */
export interface CommandExchange {
  /** All that it has to a question, with the members that it asks for. */
  ask(query: SearchQuery, localFilter: LocalFilter | null): KeptItems;
  /** What a past search brought. @throws AppError `saved.not-found` */
  past(searchNumber: number): KeptItems;
  /** @throws AppError as `keepImport` */
  take(path: string, name: string, options: { nowMs: number; signal: AbortSignal }): Promise<ImportedFile>;
  close(): Promise<void>;
}

/** Opens what is kept of a catalog. @throws AppError `library.*` */
export function openCommandExchange(filePath: string, { signal }: { signal: AbortSignal }): CommandExchange {
  const isNew = !existsSync(filePath);
  const { library, isKept, close } = openToRead(filePath);
  const collections = library.collections()?.value ?? [];
  return {
    ask(query, localFilter) {
      async function* batches(): AsyncGenerator<IdentifiedItem[]> {
        for await (const items of passing(itemsByQuery(query, { library, signal }), localFilter))
          yield withFields(items, query, localFilter);
      }
      return {
        ...noteAge(batches(), library),
        collections: collections.filter(({ id }) => query.collections?.includes(id) ?? true),
      };
    },
    past(searchNumber) {
      const found = library.pastSearch(searchNumber);
      if (!found) throw new AppError('saved.not-found', `There is no past search ${String(searchNumber)}`);
      async function* batches(): AsyncGenerator<IdentifiedItem[]> {
        await library.settle();
        for (const ref of refsOfRun(searchNumber, library)) {
          const one = library.item(ref)?.value;
          if (one) yield [one];
        }
      }
      return {
        batches: passing(batches(), found.localFilter),
        asOf: () => new Date(found.fetchedAtMs).toISOString(),
        collections,
      };
    },
    async take(path, name, { nowMs, signal: stop }) {
      if (!isKept) throw toReadOnlyError(filePath);
      return keepImport(
        { path, name, spoolPath: toTemporaryPath(filePath) },
        { library, nowMs, modifiedAtMs: null, onProgress: () => undefined, signal: stop },
      );
    },
    async close() {
      const isEmpty = isNew && library.countItems() === 0;
      await close();
      // A question to a catalog that was never seen leaves no library behind.
      if (isEmpty) for (const end of ['', '-wal', '-shm']) await rm(filePath + end, { force: true });
    },
  };
}
