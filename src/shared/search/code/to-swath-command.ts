import type { SearchQuery } from '../search-query.ts';
import { parseFields, parseSortby } from '../wire.ts';
import { quoteSh } from './quote-sh.ts';
import type { SearchRequest } from './search-request.ts';

/**
 * The whole search as a `swath` command for a POSIX shell; a geometry comes through standard input. `baseUrl` is null
 * for the demo catalog, which the command starts itself. Null when the options can't carry the question: lists are
 * separated by commas, so that no name in them can hold one, and cloud cover is limited in one way only.
 */
export function toSwathCommand(
  request: Omit<SearchRequest, 'baseUrl' | 'needsToken'> & {
    baseUrl: string | null;
  },
): string | null {
  const { baseUrl, maxItems, localFilter } = request;
  const { intersects, ...query } = request.query;
  // The command can't tell the limit that it applies itself from one that is sent.
  if (localFilter && query.query?.['eo:cloud_cover']) return null;
  const options = toOptions(localFilter ? withCloudLimit(query, localFilter.cloudCoverBelow) : query);
  if (options === null) return null;
  const words = [
    ...(baseUrl === null ? [] : [`--base-url=${quoteSh(baseUrl)}`]),
    ...options.map(([name, value]) => `--${name}=${quoteSh(value)}`),
    ...(intersects ? ['--intersects=-'] : []),
    ...(localFilter ? ['--include-unknown-cloud'] : []),
    ...(maxItems === null ? [] : [`--max-items=${String(maxItems)}`]),
  ];
  const input = intersects ? `printf %s ${quoteSh(JSON.stringify(intersects))} |\n  ` : '';
  return `${input}${['swath search', ...words].join(' \\\n  ')}`;
}

function toOptions(query: SearchQuery): [name: string, value: string][] | null {
  const { collections = [], ids = [], datetime, bbox, limit, fields, sortby = [] } = query;
  const fieldsText = writeFields(fields);
  const sortText = sortby
    .map(({ field, direction }) => `${direction === 'desc' ? '-' : ''}${field}`)
    .join(',');
  const isCarried =
    [...collections, ...ids].every((name) => !name.includes(',') && name.trim() === name) &&
    isSame(fieldsText === undefined ? undefined : parseFields(fieldsText), fields) &&
    isSame(parseSortby(sortText), sortby);
  if (!isCarried) return null;
  return [
    ...option('collections', collections.join(',')),
    ...option('ids', ids.join(',')),
    ...option('datetime', datetime),
    ...option('bbox', bbox?.join(',')),
    ...option('query', query.query && JSON.stringify(query.query)),
    ...option('sortby', sortText),
    // An empty list asks for the service's choice of members.
    ...(fieldsText === undefined ? [] : [['fields', fieldsText] as [string, string]]),
    ...option('limit', limit?.toString()),
  ];
}

function writeFields(fields: SearchQuery['fields']): string | undefined {
  if (!fields) return undefined;
  const { include = [], exclude = [] } = fields;
  return [...include, ...exclude.map((path) => `-${path}`)].join(',');
}

function option(name: string, value: string | undefined): [name: string, value: string][] {
  return value === undefined || value === '' ? [] : [[name, value]];
}

// The command takes the limit from the question, and applies it itself.
function withCloudLimit(query: SearchQuery, below: number): SearchQuery {
  return { ...query, query: { ...query.query, 'eo:cloud_cover': { lt: below } } };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
