import type { SearchQuery } from '#shared/search/search-query.ts';

/**
 * The same query with an open interval in the standard form (`<ts>/..` instead of the service's `<ts>..`), or null
 * when it has none to rewrite.
 */
export function toStandardInterval(query: SearchQuery): SearchQuery | null {
  const { datetime } = query;
  if (datetime === undefined || datetime.includes('/')) return null;
  if (datetime.endsWith('..')) return { ...query, datetime: `${datetime.slice(0, -2)}/..` };
  return datetime.startsWith('..') ? { ...query, datetime: `../${datetime.slice(2)}` } : null;
}
