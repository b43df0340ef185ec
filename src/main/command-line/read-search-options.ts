import { AppError } from '#shared/errors/app-error.ts';
import { parseSearchQuery, type SearchQuery } from '#shared/search/search-query.ts';
import { parseFields, parseSortby } from '#shared/search/wire.ts';
import { readIntersects } from './read-intersects.ts';

/** The options of `swath search` that make the question, as written. */
export interface SearchOptions {
  collections?: string;
  ids?: string;
  datetime?: string;
  bbox?: string;
  intersects?: string;
  query?: string;
  sortby?: string;
  fields?: string;
  limit?: number;
}

/**
 * The question that the options ask.
 * @throws AppError `input.invalid`, which names the option
 */
export async function readSearchOptions(options: SearchOptions): Promise<SearchQuery> {
  const { collections, ids, datetime, bbox, intersects, query, sortby, fields, limit } = options;
  return parseSearchQuery({
    ...(collections === undefined ? {} : { collections: splitList('collections', collections) }),
    ...(ids === undefined ? {} : { ids: splitList('ids', ids) }),
    ...(datetime === undefined ? {} : { datetime }),
    ...(bbox === undefined ? {} : { bbox: readBbox(bbox) }),
    ...(intersects === undefined ? {} : { intersects: await readIntersects(intersects) }),
    ...(query === undefined ? {} : { query: readJson('query', query) }),
    ...(sortby === undefined ? {} : { sortby: parseSortby(sortby) }),
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** The names in a comma-separated list. @throws AppError `input.invalid` when there is none */
export function splitList(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw invalid(option, 'names are separated by single commas');
  return names;
}

function readBbox(text: string): number[] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (![4, 6].includes(numbers.length) || !numbers.every(Number.isFinite)) {
    throw invalid('bbox', 'four numbers are needed: west,south,east,north');
  }
  return numbers;
}

function readJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid(option, 'it is not JSON');
  }
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
