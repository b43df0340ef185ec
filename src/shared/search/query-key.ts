import type { SearchQuery } from './search-query.ts';

/** The same text for the same question, whatever the order of its members or of its OR-ed lists. */
export function toQueryKey(query: SearchQuery): string {
  const unordered = {
    ...query,
    ...(query.collections ? { collections: [...query.collections].sort() } : {}),
    ...(query.ids ? { ids: [...query.ids].sort() } : {}),
    limit: undefined,
  };
  return JSON.stringify(sortMembers(unordered));
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortMembers(member)]));
}
