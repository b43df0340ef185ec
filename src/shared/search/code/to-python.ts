import { cloudFilterWords, toStandardDatetime } from './python-parts.ts';
import type { SearchRequest } from './search-request.ts';
import { writePython } from './write-python.ts';

/** The whole search as Python for pystac-client. Items stay dictionaries: those cut by `fields` are no valid STAC. */
export function toPython(request: SearchRequest): string {
  const { query, maxItems, localFilter, baseUrl, needsToken } = request;
  const { limit, datetime, sortby, ...members } = query;
  const named = {
    ...members,
    // An empty order is refused there.
    ...(sortby && sortby.length > 0 ? { sortby } : {}),
    ...(datetime === undefined ? {} : { datetime: toStandardDatetime(datetime) }),
    limit: limit ?? null,
    // With a filter after it, the maximum is counted after the filter.
    ...(maxItems === null || localFilter ? {} : { max_items: maxItems }),
  };
  return [
    ...(needsToken ? ['import os'] : []),
    ...(localFilter && maxItems !== null ? ['from itertools import islice'] : []),
    '',
    'from pystac_client import Client',
    '',
    'client = Client.open(',
    `    ${writePython(baseUrl)},`,
    ...(needsToken ? ['    headers={"Authorization": "Bearer " + os.environ["SWATH_TOKEN"]},'] : []),
    ')',
    // The service speaks these whatever its landing page announces.
    'client.add_conforms_to("ITEM_SEARCH")',
    ...(query.query ? ['client.add_conforms_to("QUERY")'] : []),
    ...(query.fields ? ['client.add_conforms_to("FIELDS")'] : []),
    ...(query.sortby ? ['client.add_conforms_to("SORT")'] : []),
    'search = client.search(',
    '    method="POST",',
    ...Object.entries(named)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `    ${name}=${writePython(value, 1)},`),
    ')',
    ...cloudFilterWords(request),
    'for item in items:',
    '    print(item["id"])',
    '',
  ]
    .join('\n')
    .replace(/^\n/, '');
}
