import { AppError } from '#shared/errors/app-error.ts';
import { lightPaths } from '#shared/search/light-paths.ts';
import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { parseSearchQuery, type SearchQuery } from '#shared/search/search-query.ts';
import { parseFields, parseSortby } from '#shared/search/wire.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { readAoi } from './read-aoi.ts';
import { readIntersects } from './read-intersects.ts';
import type { QuestionOptions, Sort } from './search-options.ts';

const cloudCover = 'eo:cloud_cover';

/**
 * The question that the options ask.
 * @throws AppError `input.invalid`, which names the option; `aoi.unreadable`, `aoi.too-large`
 */
export async function readSearchOptions(
  options: QuestionOptions,
  say: (line: string) => void,
): Promise<SavedQuestion> {
  const { collections, ids, datetime, limit, maxItems } = options;
  const { query, localFilter } = readConditions(options);
  return {
    query: parseSearchQuery({
      ...(collections === undefined ? {} : { collections: splitList('collections', collections) }),
      ...(ids === undefined ? {} : { ids: splitList('ids', ids) }),
      ...(datetime === undefined ? {} : { datetime }),
      ...(await readPlace(options, say)),
      ...(query === undefined ? {} : { query }),
      ...readOrder(options),
      ...readFields(options, query),
      ...(limit === undefined ? {} : { limit }),
    }),
    localFilter,
    maxItems: maxItems ?? null,
  };
}

/** Whether an option was given that makes a question, beside how much of its answer is wanted. */
export function hasQuestion(options: QuestionOptions): boolean {
  const { collections, ids, datetime, bbox, intersects, aoi, query, cloudBelow, sort, sortby, fields } =
    options;
  const texts = [collections, ids, datetime, bbox, intersects, aoi, query, cloudBelow, sort, sortby, fields];
  return (
    texts.some((text) => text !== undefined) || options.includeUnknownCloud === true || options.light === true
  );
}

/** The names in a comma-separated list. @throws AppError `input.invalid` when there is none */
export function splitList(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw invalid(option, 'names are separated by single commas');
  return names;
}

async function readPlace(
  { bbox, intersects, aoi }: QuestionOptions,
  say: (line: string) => void,
): Promise<Partial<SearchQuery>> {
  const given = [bbox, intersects, aoi].filter((place) => place !== undefined);
  if (given.length > 1) throw invalid('aoi', 'give one of --aoi, --bbox and --intersects');
  if (bbox !== undefined) return { bbox: readBbox(bbox) as NonNullable<SearchQuery['bbox']> };
  if (intersects !== undefined) return { intersects: await readIntersects(intersects) };
  return aoi === undefined ? {} : readAoi(aoi, say);
}

// The limit of cloud cover may be in the Query extension's own words as well; either can be applied here instead.
function readConditions(options: QuestionOptions): { query?: unknown; localFilter: LocalFilter | null } {
  const asked = options.query === undefined ? undefined : readJson('query', options.query);
  const { cloudBelow, includeUnknownCloud: isUnknownWanted = false } = options;
  if (cloudBelow === undefined && !isUnknownWanted) {
    return asked === undefined ? { localFilter: null } : { query: asked, localFilter: null };
  }
  const members = isJsonObject(asked) ? asked : {};
  const { [cloudCover]: cloud, ...others } = members;
  const { lt, ...tests } = isJsonObject(cloud) ? cloud : {};
  const below = cloudBelow ?? lt;
  if (!isUnknownWanted)
    return { query: { ...members, [cloudCover]: { ...tests, lt: below } }, localFilter: null };
  if (typeof below !== 'number') throw invalid('include-unknown-cloud', 'it needs --cloud-below');
  if (Object.keys(tests).length > 0) {
    throw invalid('include-unknown-cloud', `it can't be joined with other conditions on ${cloudCover}`);
  }
  return { ...withMembers(others), localFilter: { cloudCoverBelow: below } };
}

function withMembers(query: JsonObject): { query?: JsonObject } {
  return Object.keys(query).length > 0 ? { query } : {};
}

const namedOrders: Record<Sort, NonNullable<SearchQuery['sortby']>> = {
  newest: [],
  oldest: [{ field: 'properties.datetime', direction: 'asc' }],
  'least-cloud': [{ field: `properties.${cloudCover}`, direction: 'asc' }],
  'most-cloud': [{ field: `properties.${cloudCover}`, direction: 'desc' }],
};

function readOrder({ sort, sortby }: QuestionOptions): Partial<SearchQuery> {
  const order = sort === undefined ? sortby && parseSortby(sortby) : namedOrders[sort];
  return order && (order.length > 0 || sortby !== undefined) ? { sortby: order } : {};
}

// What a condition is about belongs to what is wanted of each item.
function readFields({ fields, light }: QuestionOptions, query: unknown): Partial<SearchQuery> {
  if (fields !== undefined) return { fields: parseFields(fields) };
  if (!light) return {};
  const asked = Object.keys(isJsonObject(query) ? query : {}).map((name) => `properties.${name}`);
  return { fields: { include: [...new Set([...lightPaths, ...asked])] } };
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
