import type { AssetRef } from '../links/link.ts';

/** Where the object store keeps what it signs for, as its first path segment. */
export const bucket = 'assets';

// For an address that ends with its folder.
const namelessFile = 'file';

/** What a path names: an asset, and its file by the name that clients know it by. */
export interface NamedFile {
  asset: AssetRef;
  fileName: string;
}

/**
 * Path of an asset on the object store: `/<bucket>/<collection>/<item>/<asset key>/<file name>`. The file name is
 * for people and for clients that name files after URLs; the three before it say which asset it is. Null for an
 * identity that no URL can carry (half a surrogate pair).
 */
export function toObjectPath(asset: AssetRef, href: string): string | null {
  const parts = [asset.collectionId, asset.itemId, asset.assetKey];
  if (!parts.every((part) => part.isWellFormed())) return null;
  return `/${[bucket, ...parts.map(encodeSegment), encodeURIComponent(fileNameOf(href))].join('/')}`;
}

/** The file that a path names, or null. */
export function fromObjectPath(path: string): NamedFile | null {
  const [root, inBucket, collection, item, asset, fileName, ...more] = path.split('/');
  if (root !== '' || inBucket !== bucket || more.length > 0 || fileName === undefined) return null;
  try {
    return {
      asset: {
        collectionId: decodeSegment(collection ?? ''),
        itemId: decodeSegment(item ?? ''),
        assetKey: decodeSegment(asset ?? ''),
      },
      fileName: decodeURIComponent(fileName),
    };
  } catch {
    return null;
  }
}

/** The name of the file at an address. An address that `toObjectPath` made keeps the name that it has. */
export function fileNameOf(href: string): string {
  const path = href.split(/[?#]/, 1)[0] ?? '';
  const name = decode(path.slice(path.lastIndexOf('/') + 1).toWellFormed());
  return /^\.{0,2}$/.test(name) ? namelessFile : name;
}

// URL parsers take `.` and `..` away however they are escaped, so these (and what looks like their mark) get a mark.
function encodeSegment(text: string): string {
  const needsMark = /^(?:\.{0,2}|~.*)$/s.test(text);
  return `${needsMark ? '~' : ''}${encodeURIComponent(text)}`;
}

function decodeSegment(segment: string): string {
  return decodeURIComponent(segment.replace(/^~/, ''));
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
