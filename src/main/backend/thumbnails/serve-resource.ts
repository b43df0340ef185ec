import type { ItemRef } from '#shared/stac/item.ts';
import type { Thumbnails } from './thumbnails.ts';

/** What a host answers for a URL of its own origin that is not a file of the window. */
export interface Resource {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const thumbnailPath = /^\/_thumb\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)$/;

/** Serves `/_thumb/<connection>/<collection>/<item>`, each percent-encoded; everything else is 404. */
export async function serveResource(
  path: string,
  options: {
    /** Null for a catalog that isn't open. */
    thumbnailsOf: (connectionId: string) => Thumbnails | null;
    signal?: AbortSignal | undefined;
  },
): Promise<Resource> {
  const named = readThumbnailPath(path);
  const thumbnails = named && options.thumbnailsOf(named.connectionId);
  const picture = thumbnails && (await thumbnails.find(named.ref, options.signal));
  if (!picture) return notFound();
  return {
    status: 200,
    headers: {
      'content-type': picture.mediaType,
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
    },
    body: picture.bytes,
  };
}

function readThumbnailPath(path: string): { connectionId: string; ref: ItemRef } | null {
  const [, connectionId = '', collection = '', item = ''] = thumbnailPath.exec(path) ?? [];
  try {
    const ref = { collectionId: decodeURIComponent(collection), itemId: decodeURIComponent(item) };
    return ref.collectionId !== '' && ref.itemId !== '' ? { connectionId, ref } : null;
  } catch {
    return null;
  }
}

// Not stored by the window: the picture may be there once the catalog answers again.
function notFound(): Resource {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 404, headers, body: Buffer.from('Not found') };
}
