import PQueue from 'p-queue';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { thumbnailAsset } from '#shared/stac/thumbnail.ts';
import type { Connection } from '../connection/connection.ts';
import type { Library, Thumbnail } from '../library/library.ts';
import type { Clock, Logger } from '../ports.ts';
import { sniffPicture } from './sniff-picture.ts';

/** Larger pictures are no thumbnails. */
const maxThumbnailBytes = 8 * 1024 * 1024;

/** Fetched at once, beside the searches that people wait for. */
const maxConcurrentThumbnails = 6;

interface ThumbnailParts {
  connection: Connection;
  library: Library;
  clock: Clock;
  logger: Logger;
}

/** Finds pictures of Items: kept ones at once, others from the catalog. Each is fetched once, whoever asks for it meanwhile. */
export interface Thumbnails {
  /** Null when the Item has none, or it can't be had now. */
  find(ref: ItemRef, signal?: AbortSignal): Promise<Thumbnail | null>;
}

interface Fetch {
  picture: Promise<Thumbnail | null>;
  waiterCount: number;
}

/** Builds the thumbnails of one catalog. */
export function createThumbnails(parts: ThumbnailParts): Thumbnails {
  const queue = new PQueue({ concurrency: maxConcurrentThumbnails });
  const fetches = new Map<string, Fetch>();

  const begin = (ref: ItemRef, key: string): Fetch => {
    // A free queue begins at once, so whoever asks counts before it is added.
    const fetch: Fetch = { picture: Promise.resolve(null), waiterCount: 1 };
    fetch.picture = queue
      // Whoever scrolled past before its turn came no longer wants it.
      .add(() => (fetch.waiterCount > 0 ? fetchThumbnail(ref, parts) : null))
      .catch((thrown: unknown) => {
        const { code, message } = toAppError(thrown);
        parts.logger.warn('thumbnail not fetched', { ...ref, code, message });
        return null;
      })
      .finally(() => fetches.delete(key));
    fetches.set(key, fetch);
    return fetch;
  };

  return {
    async find(ref, signal) {
      const kept = parts.library.thumbnail(ref);
      if (kept) return kept.value;
      const key = JSON.stringify([ref.collectionId, ref.itemId]);
      const running = fetches.get(key);
      if (running) running.waiterCount++;
      const fetch = running ?? begin(ref, key);
      const leave = (): void => {
        fetch.waiterCount--;
      };
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await fetch.picture;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}

async function fetchThumbnail(ref: ItemRef, parts: ThumbnailParts): Promise<Thumbnail | null> {
  const asset = thumbnailAsset(await findItem(ref, parts));
  if (!asset) return null;
  const { http, resolveLink } = await parts.connection.access();
  const { link } = await resolveLink({ ...ref, assetKey: asset.key }, { mode: 'auto' });
  const { status, body } = await http.send({ url: link.url, auth: 'none', maxBodyBytes: maxThumbnailBytes });
  if (status !== 200) {
    throw new AppError('http.unexpected-status', `The picture's server answered ${String(status)}`, {
      details: { status },
    });
  }
  const mediaType = sniffPicture(body);
  if (mediaType === null)
    throw new AppError('stac.invalid-response', 'The thumbnail is no picture that can be shown');
  const thumbnail = { mediaType, bytes: body };
  parts.library.saveThumbnail(ref, thumbnail, parts.clock.now());
  return thumbnail;
}

async function findItem(ref: ItemRef, parts: ThumbnailParts): Promise<StacItem> {
  const kept = parts.library.item(ref);
  if (kept) return kept.value.item;
  const { item } = await parts.connection.ask((catalog) => catalog.item(ref));
  return item;
}
