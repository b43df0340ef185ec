import { AppError } from '../errors/app-error.ts';
import { parseSearchQuery, type SearchQuery } from './search-query.ts';

/** Members of a search that GET can carry; `intersects` and `query` need POST (catalog-service.md §4.6). */
const getMembers = ['collections', 'ids', 'datetime', 'bbox', 'limit', 'fields', 'sortby'] as const;

/** The JSON body of `POST /search`. */
export function toPostBody(query: SearchQuery): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Whether GET can carry the whole query. */
export function fitsGet(query: SearchQuery): boolean {
  return query.intersects === undefined && query.query === undefined;
}

/**
 * The parameters of `GET /search` as names and unescaped values.
 * @throws AppError `input.invalid` when the query needs POST
 */
export function toGetParams(query: SearchQuery): [name: string, value: string][] {
  if (!fitsGet(query)) {
    throw new AppError('input.invalid', 'intersects and query can only be sent with POST', {
      details: { field: query.query ? 'query' : 'intersects', why: 'it can only be sent with POST' },
    });
  }
  const values: Record<(typeof getMembers)[number], string | undefined> = {
    collections: query.collections?.join(','),
    ids: query.ids?.join(','),
    datetime: query.datetime,
    bbox: query.bbox?.join(','),
    limit: query.limit?.toString(),
    fields: formatFields(query.fields),
    sortby: formatSortby(query.sortby),
  };
  return getMembers.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
}

/**
 * Reads the parameters of `GET /search`. Unknown names are ignored, as on the service.
 * @throws AppError `input.invalid`
 */
export function fromGetParams(params: ReadonlyMap<string, string>): SearchQuery {
  for (const name of ['intersects', 'query']) {
    if (params.has(name)) {
      const why = 'it can only be sent with POST';
      throw new AppError('input.invalid', `${name}: ${why}`, { details: { field: name, why } });
    }
  }
  const limit = params.get('limit');
  const fields = params.get('fields');
  const sortby = params.get('sortby');
  return parseSearchQuery({
    collections: splitList(params.get('collections')),
    ids: splitList(params.get('ids')),
    datetime: params.get('datetime'),
    bbox: splitList(params.get('bbox'))?.map(toNumber),
    limit: limit === undefined ? undefined : toNumber(limit),
    fields: fields === undefined ? undefined : parseFields(fields),
    sortby: sortby === undefined ? undefined : parseSortby(sortby),
  });
}

/** Fields as GET writes them: `a,b` includes, `-a,-b` excludes. */
export function parseFields(text: string): NonNullable<SearchQuery['fields']> {
  const paths = splitList(text) ?? [];
  const include = paths.filter((path) => !path.startsWith('-')).map((path) => path.replace(/^\+/, ''));
  const exclude = paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1));
  // An empty include list beside excludes would mean "defaults only" on servers that follow fields v1.0.0.
  return { ...(include.length > 0 ? { include } : {}), ...(exclude.length > 0 ? { exclude } : {}) };
}

/** Sortby as GET writes it: `field` ascending, `-field` descending. */
export function parseSortby(text: string): NonNullable<SearchQuery['sortby']> {
  return (splitList(text) ?? []).map((term) => ({
    field: term.replace(/^[+-]/, ''),
    direction: term.startsWith('-') ? 'desc' : 'asc',
  }));
}

function formatFields(fields: SearchQuery['fields']): string | undefined {
  if (!fields) return undefined;
  return [...(fields.include ?? []), ...(fields.exclude ?? []).map((path) => `-${path}`)].join(',');
}

function formatSortby(sortby: SearchQuery['sortby']): string | undefined {
  // The service documents the bare property name in GET and `properties.…` in POST.
  return sortby
    ?.map(({ field, direction }) => `${direction === 'desc' ? '-' : ''}${field.replace(/^properties\./, '')}`)
    .join(',');
}

// Splits at commas; a leading "+" that a query string decoded to a space is trimmed with the rest.
function splitList(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function toNumber(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}
