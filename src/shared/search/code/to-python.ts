import type { SearchQuery } from '../search-query.ts';
import { cloudFilterWords, toStandardDatetime } from './python-parts.ts';
import type { SearchRequest } from './search-request.ts';
import { writePython } from './write-python.ts';

/** The whole search as Python for pystac-client. Items stay dictionaries: those cut by `fields` are no valid STAC. */
export function toPython(request: SearchRequest): string {
  const { query, maxItems, localFilter, baseUrl, needsToken } = request;
  const imports = [
    ...(needsToken ? ['import os'] : []),
    ...(localFilter && maxItems !== null ? ['from itertools import islice'] : []),
  ];
  return [
    ...imports,
    ...(imports.length > 0 ? [''] : []),
    'from pystac_client import Client',
    '',
    'client = Client.open(',
    `    ${writePython(baseUrl)},`,
    ...(needsToken ? ['    headers={"Authorization": "Bearer " + os.environ["SWATH_TOKEN"]},'] : []),
    ')',
    ...declareConformance(query),
    'search = client.search(',
    '    method="POST",',
    ...listArguments(request),
    ')',
    ...cloudFilterWords(request),
    'for item in items:',
    '    print(item["id"])',
    '',
  ].join('\n');
}

function listArguments({ query, maxItems, localFilter }: SearchRequest): string[] {
  const { limit, datetime, sortby, ...members } = query;
  const values = {
    ...members,
    // An empty order is refused there.
    ...(sortby && sortby.length > 0 ? { sortby } : {}),
    ...(datetime === undefined ? {} : { datetime: toStandardDatetime(datetime) }),
    limit: limit ?? null,
    // With a filter after it, the maximum is counted after the filter.
    ...(maxItems === null || localFilter ? {} : { max_items: maxItems }),
  };
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `    ${name}=${writePython(value, 1)},`);
}

// The service speaks these whatever its landing page announces.
function declareConformance(query: SearchQuery): string[] {
  const classes = [
    'ITEM_SEARCH',
    ...(query.query ? ['QUERY'] : []),
    ...(query.fields ? ['FIELDS'] : []),
    ...(query.sortby ? ['SORT'] : []),
  ];
  return classes.map((name) => `client.add_conforms_to("${name}")`);
}
