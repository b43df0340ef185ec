import { readFile, realpath } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve } from 'node:path';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A file of the window. */
export interface AppFile {
  mediaType: string;
  bytes: Buffer;
}

/** The file that a URL's path names below a folder; null when there is none, and for every way out of the folder. */
export async function readAppFile(rootDir: string, pathname: string): Promise<AppFile | null> {
  const path = toFilePath(rootDir, pathname);
  const mediaType = path && mediaTypes[extname(path).toLowerCase()];
  if (!path || !mediaType) return null;
  try {
    // A link inside the folder may lead out of it.
    if (!isInside(await realpath(rootDir), await realpath(path))) return null;
    return { mediaType, bytes: await readFile(path) };
  } catch {
    return null;
  }
}

// Decoded before it is checked: `%2f..` survives the URL's own tidying.
function toFilePath(rootDir: string, pathname: string): string | null {
  try {
    const decoded = decodeURIComponent(pathname).replace(/^\//, '');
    if (/[\0\\:]/.test(decoded) || isAbsolute(decoded)) return null;
    const path = resolve(join(rootDir, decoded === '' ? 'index.html' : decoded));
    return isInside(rootDir, path) ? path : null;
  } catch {
    return null;
  }
}

function isInside(rootDir: string, path: string): boolean {
  const way = relative(rootDir, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
