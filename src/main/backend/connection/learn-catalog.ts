import type { StacCollection } from '#shared/stac/collection.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { Kept } from '../library/library.ts';
import type { Clock } from '../ports.ts';
import type { OpenCatalog } from './catalogs.ts';

/** Whom to ask. */
export interface LearnOptions {
  source: Pick<OpenCatalog, 'connection' | 'library'>;
  clock: Clock;
  signal: AbortSignal;
  /** Given the work of keeping an answer; it is done, and its failure thrown, unless told otherwise. */
  keep?: (work: () => Promise<void>) => Promise<unknown>;
}

/** Asks the catalog for its collections, and keeps the list. @throws AppError as `Connection.ask`, `library.*` */
export async function learnCollections(options: LearnOptions): Promise<Kept<StacCollection[]>> {
  const { source, clock, signal, keep = doIt } = options;
  const value = await source.connection.ask((catalog) => catalog.collections({ signal }));
  const fetchedAtMs = clock.now();
  await keep(() => source.library.saveCollections(value, fetchedAtMs));
  return { value, fetchedAtMs };
}

/**
 * Asks the catalog what collections can be asked together, all where none is named, and keeps the answer.
 * @throws AppError as `Connection.ask`, `library.*`
 */
export async function learnQueryables(
  collectionIds: readonly string[],
  options: LearnOptions,
): Promise<Kept<JsonObject>> {
  const { source, clock, signal, keep = doIt } = options;
  const value = await source.connection.ask((catalog) => catalog.queryables(collectionIds, { signal }));
  const fetchedAtMs = clock.now();
  await keep(() => source.library.saveQueryables(collectionIds, value, fetchedAtMs));
  return { value, fetchedAtMs };
}

const doIt = (work: () => Promise<void>): Promise<void> => work();
