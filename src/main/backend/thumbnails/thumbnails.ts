import PQueue from 'p-queue';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { thumbnailAsset } from '#shared/stac/thumbnail.ts';
import { linkTargetsOf, siblingAssetUrl } from '../links/link-targets.ts';
import type { Connection } from '../connection/connection.ts';
import type { Library, Thumbnail } from '../library/library.ts';
import type { Clock, Logger } from '../ports.ts';
import { createItemBatch } from './batch-items.ts';
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
  /** Null when the Item has none. @throws AppError why it can't be had now, or not be kept */
  fetch(ref: ItemRef, signal?: AbortSignal): Promise<Thumbnail | null>;
}

interface Fetched {
  thumbnail: Thumbnail | null;
  /** Why the library doesn't have it; null where it does. */
  notKept: unknown;
}

interface Fetch {
  picture: Promise<Fetched>;
  waiterCount: number;
}

const noThumbnail: Fetched = { thumbnail: null, notKept: null };

/** Builds the thumbnails of one catalog. */
export function createThumbnails(parts: ThumbnailParts): Thumbnails {
  const queue = new PQueue({ concurrency: maxConcurrentThumbnails });
  const findItem = createItemBatch({ ask: (question) => parts.connection.ask(question) });
  const fetches = new Map<string, Fetch>();

  const load = async (ref: ItemRef, fetch: Fetch): Promise<Fetched> => {
    const item = await findItem(ref);
    // Whoever scrolled past before its turn came no longer wants it.
    return queue.add(() => (fetch.waiterCount > 0 ? fetchThumbnail(ref, item, parts) : noThumbnail));
  };

  const begin = (ref: ItemRef, key: string): Fetch => {
    const fetch: Fetch = { picture: Promise.resolve(noThumbnail), waiterCount: 1 };
    fetch.picture = load(ref, fetch)
      .catch((thrown: unknown) => {
        const { code, message } = toAppError(thrown);
        if (code !== 'network.switched-off')
          parts.logger.warn('thumbnail not fetched', { ...ref, code, message });
        throw thrown;
      })
      .finally(() => fetches.delete(key));
    fetches.set(key, fetch);
    return fetch;
  };

  const get = async (ref: ItemRef, signal: AbortSignal | undefined): Promise<Fetched> => {
    const kept = parts.library.thumbnail(ref);
    if (kept) return { thumbnail: kept.value, notKept: null };
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
  };

  return {
    async find(ref, signal) {
      // Each would wait for its own failure; whether the catalog is back is asked elsewhere.
      if (parts.connection.status.state === 'offline') return parts.library.thumbnail(ref)?.value ?? null;
      const { thumbnail } = await get(ref, signal).catch(() => noThumbnail);
      return thumbnail;
    },
    async fetch(ref, signal) {
      const { thumbnail, notKept } = await get(ref, signal);
      if (notKept !== null) throw toAppError(notKept);
      return thumbnail;
    },
  };
}

async function fetchThumbnail(ref: ItemRef, item: StacItem | null, parts: ThumbnailParts): Promise<Fetched> {
  const bytes = (item && (await fetchByOwnLink(item, parts))) ?? (await fetchByResolvedLink(ref, parts));
  if (bytes === null) return noThumbnail;
  const mediaType = sniffPicture(bytes);
  if (mediaType === null)
    throw new AppError('stac.invalid-response', 'The thumbnail is no picture that can be shown');
  const thumbnail = { mediaType, bytes };
  const notKept = await parts.library.saveThumbnail(ref, thumbnail, parts.clock.now()).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { thumbnail, notKept };
}

/** By the link that came with the Item. Null where it has none that can be fetched as it is, or that is refused. */
async function fetchByOwnLink(item: StacItem, { connection }: ThumbnailParts): Promise<Buffer | null> {
  const asset = thumbnailAsset(item);
  const { http, catalog } = await connection.access();
  const place = { baseUrl: catalog.baseUrl, assetUrl: siblingAssetUrl(catalog.baseUrl) };
  const link = asset && linkTargetsOf(asset, item, place).find(({ kind }) => kind !== 'proxy');
  if (!link) return null;
  const { status, body } = await http.send({ url: link.url, auth: 'none', maxBodyBytes: maxThumbnailBytes });
  return status === 200 ? body : null;
}

/** By whatever way there is to the asset, as a download would go. Null when the Item has no picture. */
async function fetchByResolvedLink(
  ref: ItemRef,
  { connection, library }: ThumbnailParts,
): Promise<Buffer | null> {
  const item = library.item(ref)?.value.item ?? (await connection.ask((catalog) => catalog.item(ref))).item;
  const asset = thumbnailAsset(item);
  if (!asset) return null;
  const { http, resolveLink } = await connection.access();
  const { link } = await resolveLink({ ...ref, assetKey: asset.key }, { mode: 'auto' });
  const { status, body } = await http.send({ url: link.url, auth: 'none', maxBodyBytes: maxThumbnailBytes });
  if (status === 200) return body;
  throw new AppError('http.unexpected-status', `The picture's server answered ${String(status)}`, {
    details: { status },
  });
}
