import type { AssetRef } from '../links/link.ts';

/** Where the object store keeps what it signs for, as its first path segment. */
export const bucket = 'assets';

/**
 * Path of an asset on the object store: `/<bucket>/<collection>/<item>/<asset key>/<file name>`. The file name is
 * for people and for clients that name files after URLs; the three before it say which asset it is. Null for an
 * identity that no URL can carry (half a surrogate pair).
 */
export function toObjectPath(asset: AssetRef, href: string): string | null {
  const parts = [asset.collectionId, asset.itemId, asset.assetKey];
  if (!parts.every((part) => part.isWellFormed())) return null;
  return `/${[bucket, ...parts.map(encodeSegment), encodeSegment(fileNameOf(href))].join('/')}`;
}

/** The asset that a path names, or null. */
export function fromObjectPath(path: string): AssetRef | null {
  const [root, inBucket, collection, item, asset, fileName, ...more] = path.split('/');
  if (root !== '' || inBucket !== bucket || more.length > 0 || fileName === undefined) return null;
  try {
    return {
      collectionId: decodeSegment(collection ?? ''),
      itemId: decodeSegment(item ?? ''),
      assetKey: decodeSegment(asset ?? ''),
    };
  } catch {
    return null;
  }
}

// URL parsers take `.` and `..` away however they are escaped, so these (and what looks like their mark) get a mark.
function encodeSegment(text: string): string {
  const needsMark = /^(?:\.{0,2}|~.*)$/s.test(text);
  return `${needsMark ? '~' : ''}${encodeURIComponent(text)}`;
}

function decodeSegment(segment: string): string {
  return decodeURIComponent(segment.replace(/^~/, ''));
}

function fileNameOf(href: string): string {
  const path = href.split(/[?#]/, 1)[0] ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed();
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
