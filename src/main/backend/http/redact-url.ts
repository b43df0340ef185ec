// Their values say nothing about who may see a file; every other value is masked, known secret or not.
const harmlessNames = new Set([
  'collections',
  'ids',
  'datetime',
  'bbox',
  'limit',
  'fields',
  'sortby',
  'page',
  'expires',
  'x-amz-date',
  'x-amz-expires',
  'x-goog-date',
  'x-goog-expires',
  'se',
  'st',
  'collection_id',
  'item_id',
  'asset',
]);

/**
 * A URL that may be logged or quoted: no user name, no password, no fragment, and the value of every query
 * parameter masked unless it is known to be harmless (field notes §1.12).
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return '(unreadable URL)';
  const { protocol, host, pathname, search } = new URL(url);
  const masked = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map(maskPair);
  const query = masked.length > 0 ? `?${masked.join('&')}` : '';
  return `${protocol}//${host}${pathname}${query}`;
}

// Shorter ones grant nothing, and stand in every sentence: `sp=r`.
const shortestSecret = 8;

/** What must not be said of a URL: the values that `redactUrl` masks, as they are written and as they are read. */
export function secretsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { search, searchParams } = new URL(url);
  const written = search.slice(1).split('&').filter(isMasked);
  const values = [
    ...written.map((pair) => pair.slice(pair.indexOf('=') + 1)),
    ...[...searchParams].flatMap(([name, value]) => (isMasked(name) ? value : [])),
  ];
  return [...new Set(values)].filter((value) => value.length >= shortestSecret);
}

function isMasked(pair: string): boolean {
  const [name = ''] = pair.split('=', 1);
  return !harmlessNames.has(name.toLowerCase());
}

function maskPair(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return isMasked(pair) ? `${name}=…` : pair;
}
