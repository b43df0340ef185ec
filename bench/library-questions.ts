import type { SearchQuery } from '#shared/search/search-query.ts';
import { readQueryables, type Queryable } from '#shared/stac/queryables.ts';
import type { Library } from '../src/main/backend/library/library.ts';

/** A continent drawn by hand: some 60 degrees wide, with a slanting coast. */
export const continent = {
  type: 'Polygon',
  coordinates: [
    [
      [-17, 15],
      [-10, 30],
      [-5, 36],
      [10, 37],
      [20, 32],
      [32, 31],
      [43, 12],
      [51, 11],
      [40, -5],
      [40, -16],
      [33, -27],
      [25, -34],
      [18, -34],
      [12, -17],
      [9, 4],
      [-8, 4],
      [-17, 15],
    ],
  ],
} as const;

/** A question for one kind of page; a deep one begins somewhere in the middle. */
export interface PageQuestion {
  name: string;
  query: SearchQuery;
  isDeep?: boolean;
}

/** The kinds of pages that a library is asked for. `round` moves the small ones about. */
export function pageQuestions(library: Library, ids: readonly string[], round: number): PageQuestion[] {
  const [west, south] = [-120 + ((round * 37) % 240), -40 + ((round * 23) % 90)];
  const box = [
    [west, south],
    [west + 1, south + 0.2],
    [west + 0.8, south + 1],
    [west, south],
  ];
  return [
    { name: 'small-aoi', query: { intersects: { type: 'Polygon', coordinates: [box] } } },
    {
      name: 'continent',
      query: { intersects: structuredClone(continent) as unknown as NonNullable<SearchQuery['intersects']> },
    },
    { name: 'no-aoi', query: {} },
    {
      name: 'two-filters',
      query: { query: { 'eo:cloud_cover': { lt: 20 + (round % 10) }, 'view:sun_elevation': { gt: 30 } } },
    },
    { name: 'by-cloud-cover', query: { sortby: [{ field: 'eo:cloud_cover', direction: 'asc' }] } },
    { name: 'by-ids', query: { ids: [...ids] } },
    { name: 'deep', query: {}, isDeep: true },
  ];
}

/** The queryable properties of all collections of a library. */
export function queryablesIn(library: Library): Queryable[] {
  const all = (library.collections()?.value ?? []).flatMap(({ id }) =>
    readQueryables(library.queryables([id])?.value),
  );
  return [...new Map(all.map((queryable) => [queryable.name, queryable])).values()];
}

/** The least time that a share of all is not longer than, by nearest rank. */
export async function percentile(
  share: number,
  times: number,
  work: (round: number) => Promise<unknown>,
): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < times; round++) {
    const startMs = performance.now();
    await work(round);
    durations.push(performance.now() - startMs);
  }
  durations.sort((a, b) => a - b);
  return durations[Math.ceil(durations.length * share) - 1] ?? NaN;
}
