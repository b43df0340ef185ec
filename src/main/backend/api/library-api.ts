import { AppError } from '#shared/errors/app-error.ts';
import { completeAsOf, findCoverage } from '#shared/search/coverage/find-coverage.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { datetimeOf } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { fromEpochMicros } from '#shared/stac/timestamp.ts';
import { cellDegrees } from '../library/overview/read-overview.ts';
import type { CompleteRun } from '../library/run-store.ts';
import type { ApiParts } from './api-parts.ts';
import { toTimestamp } from './kept-answers.ts';

/** Items of an area that are looked at one by one before they are too many to count. */
const maxCandidates = 50_000;

/** Handlers of `library`. */
export function createLibraryApi({ catalogs, notebook }: ApiParts): Handlers<typeof contract>['library'] {
  return {
    overview: async () => {
      const { library } = catalogs.current;
      const { collections, firstMicros, lastMicros, ...overview } = await library.overview();
      const runs = library.runs.completeRuns();
      return {
        ...overview,
        cellDegrees,
        firstTaken: micros(firstMicros),
        lastTaken: micros(lastMicros),
        collections: collections.map(({ oldestFetchMs, newestFetchMs, ...one }) => ({
          collectionId: one.collectionId,
          itemCount: one.itemCount,
          partialCount: one.partialCount,
          pictureCount: one.pictureCount,
          timeCounts: one.timeCounts,
          firstTaken: micros(one.firstMicros),
          lastTaken: micros(one.lastMicros),
          oldestFetch: toTimestamp(oldestFetchMs),
          newestFetch: toTimestamp(newestFetchMs),
          completeAsOf: asOf({ collections: [one.collectionId] }, runs),
        })),
      };
    },
    area: async ({ areaId }, { signal }) => {
      const { library } = catalogs.current;
      const query = { intersects: notebook.areas.get(areaId).geometry } as SearchQuery;
      const itemCount = await library.engine.count(query, { maxCandidates, signal });
      const { items } = await library.engine.search(query, { limit: 1, signal });
      const newest = items[0] && datetimeOf(items[0].item);
      return {
        itemCount,
        lastTaken: micros(newest ?? null),
        completeAsOf: asOf(query, library.runs.completeRuns()),
      };
    },
    forgetSearch: async ({ searchNumber }) => {
      await catalogs.current.library.forgetSearch(searchNumber);
      return {};
    },
    takeSearchBack: async ({ searchNumber }) => {
      if (await catalogs.current.library.takeSearchBack(searchNumber)) return {};
      throw new AppError('saved.not-found', 'This search is forgotten for good');
    },
    find: ({ text, limit }) => {
      const { library } = catalogs.current;
      // One more tells whether there are more.
      const found = library.findText(text, { limit: limit + 1 });
      const refs = found.slice(0, limit);
      const marks = library.marksOf(refs);
      const rows = refs.flatMap((ref, index) => {
        const kept = library.item(ref)?.value;
        const goneAtMs = marks[index]?.goneAtMs;
        return kept ? [toItemRow({ ...kept, ...(goneAtMs == null ? {} : { goneAtMs }) })] : [];
      });
      return { rows, hasMore: found.length > refs.length };
    },
  };
}

function asOf(query: SearchQuery, runs: readonly CompleteRun[]): string | null {
  const asOfMs = completeAsOf(findCoverage(query, runs));
  return asOfMs === null ? null : toTimestamp(asOfMs);
}

function micros(epochMicros: number | null): string | null {
  return epochMicros === null ? null : fromEpochMicros(epochMicros);
}
