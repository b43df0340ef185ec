import type { SearchQuery } from '#shared/search/search-query.ts';

/**
 * The same query with fields that leave every Item its identity: an Item that can't be told from others would be lost
 * in paging (field notes §3.3). A single collection needs no naming. Extra members are allowed by the Fields extension.
 */
export function keepIdentity(query: SearchQuery): SearchQuery {
  const { fields, collections } = query;
  if (fields === undefined) return query;
  const needed = collections?.length === 1 ? ['id'] : ['id', 'collection'];
  const { include = [], exclude = [] } = fields;
  const kept = exclude.filter((path) => !needed.includes(path));
  // Nothing left to exclude: an empty `fields` would ask for the server's defaults in place of everything.
  if (include.length === 0 && exclude.length > 0 && kept.length === 0) return withoutFields(query);
  // An empty include list means the server's defaults, which hold both.
  const named =
    include.length === 0 ? include : [...include, ...needed.filter((path) => !include.includes(path))];
  return {
    ...query,
    fields: {
      ...(fields.include === undefined ? {} : { include: named }),
      ...(fields.exclude === undefined ? {} : { exclude: kept }),
    },
  };
}

function withoutFields({ fields: _, ...query }: SearchQuery): SearchQuery {
  return query;
}
