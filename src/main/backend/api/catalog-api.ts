import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { summarizeCollection, type StacCollection } from '#shared/stac/collection.ts';
import { readQueryables, type Queryable } from '#shared/stac/queryables.ts';
import type { Kept } from '../library/library.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { commonQueryables } from '../connection/common-queryables.ts';
import { learnCollections, learnQueryables, type LearnOptions } from '../connection/learn-catalog.ts';
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
        (await answerOrKept(() => learnCollections(toLearnOptions({ ...parts, current, signal })), findKept));
      return { collections: kept.value.map(toSummary), asOf: toTimestamp(kept.fetchedAtMs) };
    },
    queryables: async ({ collectionIds }, { signal }) => {
      const { current } = parts.catalogs;
      const findKept = () => findKeptQueryables(current, collectionIds);
      const kept =
        (isOffline(parts, current) ? findKept() : null) ??
        (await answerOrKept(() => fetchQueryables(collectionIds, { ...parts, current, signal }), findKept));
      const queryables = kept.value.map((one) => ({
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

/** On a full disk the answer still reaches whoever asked. */
function toLearnOptions({ current, ports, signal }: Asking): LearnOptions {
  return {
    source: current,
    clock: ports.clock,
    signal,
    keep: (work) => tryToKeep(ports.logger, work),
  };
}

async function fetchQueryables(collectionIds: readonly string[], asking: Asking): Promise<Kept<Queryable[]>> {
  const { value, fetchedAtMs } = await learnQueryables(collectionIds, toLearnOptions(asking));
  return { value: readQueryables(value), fetchedAtMs };
}

function isOffline({ access }: ApiParts, { connection }: OpenCatalog): boolean {
  return judgeReachability(connection.status, access.network.isOff).isOffline;
}

/** Of collections that were never asked about together, what all of them have. */
function findKeptQueryables(
  { library }: OpenCatalog,
  collectionIds: readonly string[],
): Kept<Queryable[]> | null {
  const together = library.queryables(collectionIds);
  const found = together ? [together] : collectionIds.map((id) => library.queryables([id]));
  const known = found.filter((one) => one !== null);
  if (known.length === 0 || known.length < found.length) return null;
  return {
    value: commonQueryables(known.map(({ value }) => readQueryables(value))),
    fetchedAtMs: Math.min(...known.map(({ fetchedAtMs }) => fetchedAtMs)),
  };
}

function toSummary(collection: StacCollection) {
  const { bbox, ...summary } = summarizeCollection(collection);
  return { ...summary, bbox: bbox && ([...bbox] as [number, number, number, number]) };
}
