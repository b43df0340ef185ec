import { isAppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { summarizeCollection, type StacCollection } from '#shared/stac/collection.ts';
import { readQueryables } from '#shared/stac/queryables.ts';
import type { Kept } from '../library/library.ts';
import type { ApiParts } from './api-parts.ts';

/** Handlers of `catalog`. Where the catalog can't be reached, the library's copy answers, with its date. */
export function createCatalogApi(parts: ApiParts): Handlers<typeof contract>['catalog'] {
  const { library } = parts;
  return {
    collections: async (_input, { signal }) => {
      const kept = await answerOrKept(
        () => fetchCollections(parts, signal),
        () => library.collections(),
      );
      return { collections: kept.value.map(toSummary), asOf: toTimestamp(kept.fetchedAtMs) };
    },
    queryables: async ({ collectionIds }, { signal }) => {
      const kept = await answerOrKept(
        () => fetchQueryables(parts, collectionIds, signal),
        () => library.queryables(collectionIds),
      );
      const queryables = readQueryables(kept.value).map((one) => ({
        ...one,
        values: one.values && [...one.values],
      }));
      return { queryables, asOf: toTimestamp(kept.fetchedAtMs) };
    },
  };
}

/** RFC 3339 of a moment in milliseconds since 1970 UTC. */
export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The catalog's answer; the kept copy when the catalog is out of reach and there is one. */
export async function answerOrKept<Value>(
  ask: () => Promise<Kept<Value>>,
  findKept: () => Kept<Value> | null,
): Promise<Kept<Value>> {
  try {
    return await ask();
  } catch (thrown) {
    const kept = isAppError(thrown) && thrown.code.startsWith('network.') ? findKept() : null;
    if (!kept) throw thrown;
    return kept;
  }
}

async function fetchCollections(
  { connection, library, ports }: ApiParts,
  signal: AbortSignal,
): Promise<Kept<StacCollection[]>> {
  const value = await connection.ask((catalog) => catalog.collections({ signal }));
  const fetchedAtMs = ports.clock.now();
  library.saveCollections(value, fetchedAtMs);
  return { value, fetchedAtMs };
}

async function fetchQueryables(
  { connection, library, ports }: ApiParts,
  collectionIds: readonly string[],
  signal: AbortSignal,
): Promise<Kept<Record<string, unknown>>> {
  const value = await connection.ask((catalog) => catalog.queryables(collectionIds, { signal }));
  const fetchedAtMs = ports.clock.now();
  library.saveQueryables(collectionIds, value, fetchedAtMs);
  return { value, fetchedAtMs };
}

function toSummary(collection: StacCollection) {
  const { bbox, ...summary } = summarizeCollection(collection);
  return { ...summary, bbox: bbox && ([...bbox] as [number, number, number, number]) };
}
