import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { summarizeCollection, type StacCollection } from '#shared/stac/collection.ts';
import { readQueryables } from '#shared/stac/queryables.ts';
import type { Kept } from '../library/library.ts';
import type { ApiParts } from './api-parts.ts';
import { answerOrKept, toTimestamp, tryToKeep } from './kept-answers.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `catalog`. Where the catalog can't be reached, the library's copy answers, with its date. */
export function createCatalogApi(parts: ApiParts): Handlers<typeof contract>['catalog'] {
  return {
    collections: async (_input, { signal }) => {
      const kept = await answerOrKept(
        () => fetchCollections(parts, signal),
        () => parts.catalogs.current.library.collections(),
      );
      return { collections: kept.value.map(toSummary), asOf: toTimestamp(kept.fetchedAtMs) };
    },
    queryables: async ({ collectionIds }, { signal }) => {
      const kept = await answerOrKept(
        () => fetchQueryables(parts, collectionIds, signal),
        () => parts.catalogs.current.library.queryables(collectionIds),
      );
      const queryables = readQueryables(kept.value).map((one) => ({
        ...one,
        values: one.values && [...one.values],
      }));
      return { queryables, asOf: toTimestamp(kept.fetchedAtMs) };
    },
    facts: (_input, emit, { signal }) => {
      const { catalogs, notebook } = parts;
      const read = () => {
        const { id } = catalogs.current;
        return { catalogId: id, facts: notebook.facts.list(id) };
      };
      const onChange = (listener: () => void) => {
        const stops = [notebook.facts.onChange(listener), followChoice(parts, listener)];
        return () => stops.forEach((stop) => stop());
      };
      return streamLatest({ read, onChange, emit, signal });
    },
  };
}

// The catalogs tell of every request that begins and ends.
function followChoice({ catalogs }: ApiParts, listener: () => void): () => void {
  let lastId = catalogs.current.id;
  return catalogs.onChange(() => {
    const { id } = catalogs.current;
    if (id === lastId) return;
    lastId = id;
    listener();
  });
}

async function fetchCollections(
  { catalogs, ports }: ApiParts,
  signal: AbortSignal,
): Promise<Kept<StacCollection[]>> {
  const { connection, library } = catalogs.current;
  const value = await connection.ask((catalog) => catalog.collections({ signal }));
  const fetchedAtMs = ports.clock.now();
  await tryToKeep(ports.logger, () => library.saveCollections(value, fetchedAtMs));
  return { value, fetchedAtMs };
}

async function fetchQueryables(
  { catalogs, ports }: ApiParts,
  collectionIds: readonly string[],
  signal: AbortSignal,
): Promise<Kept<Record<string, unknown>>> {
  const { connection, library } = catalogs.current;
  const value = await connection.ask((catalog) => catalog.queryables(collectionIds, { signal }));
  const fetchedAtMs = ports.clock.now();
  await tryToKeep(ports.logger, () => library.saveQueryables(collectionIds, value, fetchedAtMs));
  return { value, fetchedAtMs };
}

function toSummary(collection: StacCollection) {
  const { bbox, ...summary } = summarizeCollection(collection);
  return { ...summary, bbox: bbox && ([...bbox] as [number, number, number, number]) };
}
