/** Prefixes of GDAL's virtual file systems for object stores, by scheme. */
const stores: ReadonlyMap<string, string> = new Map([
  ['s3', '/vsis3/'],
  ['s3a', '/vsis3/'],
  ['gs', '/vsigs/'],
  ['gcs', '/vsigs/'],
  ['az', '/vsiaz/'],
  ['azure', '/vsiaz/'],
  ['abfs', '/vsiaz/'],
  ['abfss', '/vsiaz/'],
  ['oss', '/vsioss/'],
]);

const archives: readonly [pattern: RegExp, prefix: string][] = [
  [/\.zip$/i, '/vsizip/'],
  [/\.(?:tar|tgz|tar\.gz)$/i, '/vsitar/'],
  [/\.gz$/i, '/vsigzip/'],
];

/**
 * How GDAL is told to read a file in place: `/vsicurl/https://…`, `/vsis3/bucket/key`, an archive inside of its own
 * prefix. Null for what GDAL has no way to, such as a relative href.
 */
export function gdalPath(href: string): string | null {
  const path = storePath(href);
  if (path === null) return null;
  const [bare = ''] = href.split(/[?#]/);
  const archive = archives.find(([pattern]) => pattern.test(bare));
  return archive ? `${archive[1]}${path}` : path;
}

function storePath(href: string): string | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(href) ?? [];
  const kind = scheme.toLowerCase();
  if (kind === 'http' || kind === 'https') return `/vsicurl/${href}`;
  if (kind === 'file') return rest.startsWith('/') ? decodePath(rest) : null;
  const prefix = stores.get(kind);
  if (prefix === undefined || rest.startsWith('/')) return null;
  // abfs://container@account.dfs.core.windows.net/path: GDAL takes the account from its settings.
  return prefix + rest.replace(/^([^/@]+)@[^/]+/, '$1');
}

function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return /^\/[a-z]:\//i.test(decoded) ? decoded.slice(1) : decoded;
  } catch {
    return null;
  }
}
