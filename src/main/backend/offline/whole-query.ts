import type { SearchQuery } from '#shared/search/search-query.ts';

/** Enough of an Item to know whether the library has it, and whether the local filter leaves it out. */
export const nameFields = {
  include: ['id', 'collection', 'properties.datetime', 'properties.eo:cloud_cover'],
};

/** The question as a job asks it: whole Items, however it was put. */
export function toWholeQuery({ fields: _, ...query }: SearchQuery): SearchQuery {
  return query;
}
