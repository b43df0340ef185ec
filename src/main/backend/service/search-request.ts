import {
  maxLimit,
  parseSearchQuery,
  searchQuerySchema,
  type SearchQuery,
} from '#shared/search/search-query.ts';
import { fromGetParams } from '#shared/search/wire.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { readFieldsObject, readFieldsText, type FieldSelection } from './fields.ts';
import { badRequest } from './http-error.ts';

/** Page size where the request names none (field notes §1.6). */
export const defaultLimit = 10;

/** A request for a page of Items, read and checked. */
export interface PageRequest {
  /** What is asked, without page size and fields. */
  query: SearchQuery;
  limit: number;
  /** Null: whole Items. */
  fields: FieldSelection | null;
  /** The opaque position to go on from, or null for the first page. */
  token: string | null;
}

/**
 * Reads `GET /search`. Unknown names are passed over, as on the real service, except `filter`: an ignored filter
 * would answer more than was asked for.
 * @throws HttpError 400, AppError `input.invalid`
 */
export function readGetSearch(params: ReadonlyMap<string, string>): PageRequest {
  refuseFilter(params.has('filter'));
  const { fields: fieldsText, limit: limitText, token, ...others } = Object.fromEntries(params);
  const known = new Map(Object.entries(others));
  if (limitText !== undefined)
    known.set('limit', isTooLarge(Number(limitText)) ? String(maxLimit) : limitText);
  return toPageRequest(fromGetParams(known), {
    fields: fieldsText === undefined ? null : readFieldsText(fieldsText),
    token: token ?? null,
  });
}

/**
 * Reads the body of `POST /search`. Members that are null count as left out; unknown ones as in GET.
 * @throws HttpError 400, AppError `input.invalid`
 */
export function readPostSearch(body: unknown): PageRequest {
  if (!isJsonObject(body)) throw badRequest('body: a JSON object is needed');
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  refuseFilter('filter' in given);
  const { fields, token, ...others } = given;
  if (token !== undefined && typeof token !== 'string') throw badRequest('token: a text is needed');
  const known = Object.entries(others).filter(([name]) => Object.hasOwn(searchQuerySchema.shape, name));
  const members = Object.fromEntries(known);
  if (isTooLarge(members['limit'])) members['limit'] = maxLimit;
  return toPageRequest(parseSearchQuery(members), {
    fields: fields === undefined ? null : readFieldsObject(fields),
    token: token ?? null,
  });
}

/**
 * Reads `GET /search` as STAC API has it: `intersects` is a GeoJSON geometry as text.
 * @throws HttpError 400, AppError `input.invalid`
 */
export function readStandardGetSearch(params: ReadonlyMap<string, string>): PageRequest {
  const { intersects, ...others } = Object.fromEntries(params);
  const request = readGetSearch(new Map(Object.entries(others)));
  if (intersects === undefined) return request;
  return { ...request, query: parseSearchQuery({ ...request.query, intersects: readJson(intersects) }) };
}

const pagingParams = ['limit', 'token'];

/**
 * Reads the parameters of an item list: `limit` and `token`. Search parameters have no effect there
 * (catalog-service.md §4.3), except where OGC API Features has them: `bbox` and `datetime`.
 * @throws HttpError 400, AppError `input.invalid`
 */
export function readItemListRequest(
  collectionId: string,
  params: ReadonlyMap<string, string>,
  { isStandard }: { isStandard: boolean },
): PageRequest {
  const names = isStandard ? [...pagingParams, 'bbox', 'datetime'] : pagingParams;
  const known = names.flatMap((name) => {
    const value = params.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const request = readGetSearch(new Map(known));
  return { ...request, query: { ...request.query, collections: [collectionId] } };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('intersects: a GeoJSON geometry is needed');
  }
}

function toPageRequest(parsed: SearchQuery, rest: Pick<PageRequest, 'fields' | 'token'>): PageRequest {
  const { limit = defaultLimit, ...query } = parsed;
  return { query, limit, ...rest };
}

// Larger pages are cut down, not refused (STAC API item-search).
function isTooLarge(limit: unknown): boolean {
  return Number.isInteger(limit) && Number(limit) > maxLimit;
}

function refuseFilter(isGiven: boolean): void {
  if (isGiven) throw badRequest('filter: the Filter Extension is not supported; use query with POST');
}
