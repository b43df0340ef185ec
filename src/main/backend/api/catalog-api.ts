import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { summarizeCollection, type StacCollection } from '#shared/stac/collection.ts';
import { readQueryables } from '#shared/stac/queryables.ts';
import type { Kept } from '../library/library.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import type { ApiParts } from './api-parts.ts';
import { judgeReachability } from '../connection/reachability.ts';
import { followChoice } from './follow-choice.ts';
import { answerOrKept, toTimestamp, tryToKeep } from './kept-answers.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `catalog`. Where the catalog can't be reached, the library's copy answers, with its date. */
export function createCatalogApi(parts: ApiParts): Handlers<typeof contract>['catalog'] {
  return {
    collections: async (_input, { signal }) => {
      // The one that was asked: another may be in use when it turns out to be away.
      const { current } = parts.catalogs;
      const findKept = () => current.library.collections();
      const kept =
        (isOffline(parts, current) ? findKept() : null) ??
        (await answerOrKept(() => fetchCollections({ ...parts, current, signal }), findKept));
      return { collections: kept.value.map(toSummary), asOf: toTimestamp(kept.fetchedAtMs) };
    },
    queryables: async ({ collectionIds }, { signal }) => {
      const { current } = parts.catalogs;
      const findKept = () => findKeptQueryables(current, collectionIds);
      const kept =
        (isOffline(parts, current) ? findKept() : null) ??
        (await answerOrKept(() => fetchQueryables(collectionIds, { ...parts, current, signal }), findKept));
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
        const stops = [notebook.facts.onChange(listener), followChoice(catalogs, listener)];
        return () => stops.forEach((stop) => stop());
      };
      return streamLatest({ read, onChange, emit, signal });
    },
  };
}

interface Asking extends ApiParts {
  current: OpenCatalog;
  signal: AbortSignal;
}

async function fetchCollections({ current, ports, signal }: Asking): Promise<Kept<StacCollection[]>> {
  const { connection, library } = current;
  const value = await connection.ask((catalog) => catalog.collections({ signal }));
  const fetchedAtMs = ports.clock.now();
  await tryToKeep(ports.logger, () => library.saveCollections(value, fetchedAtMs));
  return { value, fetchedAtMs };
}

async function fetchQueryables(
  collectionIds: readonly string[],
  { current, ports, signal }: Asking,
): Promise<Kept<Record<string, unknown>>> {
  const { connection, library } = current;
  const value = await connection.ask((catalog) => catalog.queryables(collectionIds, { signal }));
  const fetchedAtMs = ports.clock.now();
  await tryToKeep(ports.logger, () => library.saveQueryables(collectionIds, value, fetchedAtMs));
  return { value, fetchedAtMs };
}

function isOffline({ access }: ApiParts, { connection }: OpenCatalog): boolean {
  return judgeReachability(connection.status, access.network.isOff).isOffline;
}

/** Of collections that were never asked about together, what was learnt of each. */
function findKeptQueryables(
  { library }: OpenCatalog,
  collectionIds: readonly string[],
): Kept<Record<string, unknown>> | null {
  const together = library.queryables(collectionIds);
  if (together || collectionIds.length < 2) return together;
  const each = collectionIds.map((id) => library.queryables([id]));
  const known = each.filter((one) => one !== null);
  if (known.length < each.length) return null;
  const properties = Object.assign({}, ...known.map(({ value }) => value['properties'])) as unknown;
  return {
    value: { ...known[0]?.value, properties },
    fetchedAtMs: Math.min(...known.map(({ fetchedAtMs }) => fetchedAtMs)),
  };
}

function toSummary(collection: StacCollection) {
  const { bbox, ...summary } = summarizeCollection(collection);
  return { ...summary, bbox: bbox && ([...bbox] as [number, number, number, number]) };
}
