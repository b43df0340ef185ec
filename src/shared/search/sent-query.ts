import type { LocalFilter } from './local-filter.ts';
import type { SearchQuery } from './search-query.ts';

/**
 * The query as it goes out: the same, with `fields` that leave each Item what Swath can't do without. An Item that
 * can't be told from others would be lost in paging (field notes §3.3), and one without its cloud cover would pass
 * every local filter as one of unknown cover. A single collection needs no naming. Extra members are allowed by the
 * Fields extension.
 */
export function toSentQuery(query: SearchQuery, localFilter: LocalFilter | null = null): SearchQuery {
  const { fields, ...others } = query;
  if (fields === undefined) return query;
  const { include, exclude } = fields;
  const needed = listNeeded(query, localFilter);
  const kept = exclude && dropNeeded(exclude, needed);
  if (saysNothing(include) && saysNothing(kept)) {
    // Neither list says anything: that asks for the server's defaults, which hold id and collection, and no cloud
    // cover. They are not meant where there was something to exclude.
    return localFilter !== null || !saysNothing(exclude) ? others : query;
  }
  return {
    ...query,
    fields: {
      ...(include && { include: addMissing(include, needed) }),
      ...(kept && { exclude: kept }),
    },
  };
}

function saysNothing(paths: readonly string[] = []): boolean {
  return paths.length === 0;
}

function dropNeeded(exclude: readonly string[], needed: readonly string[]): string[] {
  return exclude.filter((path) => !needed.some((name) => isWithin(name, path)));
}

function addMissing(include: readonly string[], needed: readonly string[]): string[] {
  if (saysNothing(include)) return [];
  return [...include, ...needed.filter((name) => !include.some((path) => isWithin(name, path)))];
}

function listNeeded({ collections }: SearchQuery, localFilter: LocalFilter | null): string[] {
  return [
    'id',
    ...(collections?.length === 1 ? [] : ['collection']),
    ...(localFilter ? ['properties.eo:cloud_cover'] : []),
  ];
}

// A property's path may be written without its `properties.`.
function isWithin(name: string, path: string): boolean {
  return name === path || name.startsWith(`${path}.`) || name === `properties.${path}`;
}
