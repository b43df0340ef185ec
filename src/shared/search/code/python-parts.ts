import type { SearchRequest } from './search-request.ts';

/** A `datetime` with open ends in the standard form `<ts>/..`, the only one that pystac-client reads. */
export function toStandardDatetime(datetime: string): string {
  if (datetime.includes('/')) return datetime;
  if (datetime.endsWith('..')) return `${datetime.slice(0, -2)}/..`;
  return datetime.startsWith('..') ? `../${datetime.slice(2)}` : datetime;
}

/** Lines that make `items` of `search`, with what Swath would apply itself. */
export function cloudFilterWords({ localFilter, maxItems }: SearchRequest): string[] {
  if (!localFilter) return ['items = search.items_as_dicts()'];
  return [
    '',
    '',
    'def is_wanted(item):',
    '    cloud = item["properties"].get("eo:cloud_cover")',
    `    return cloud is None or cloud < ${String(localFilter.cloudCoverBelow)}`,
    '',
    '',
    maxItems === null
      ? 'items = filter(is_wanted, search.items_as_dicts())'
      : `items = islice(filter(is_wanted, search.items_as_dicts()), ${String(maxItems)})`,
  ];
}
