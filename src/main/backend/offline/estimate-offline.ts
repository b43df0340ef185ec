import type { OfflineEstimate } from '#shared/offline/offline-estimate.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { cloudCoverOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { summariseAssets } from '#shared/stac/thumbnail.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import type { Clock } from '../ports.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import { toWholeQuery } from './whole-query.ts';

/** Items looked at: enough for an average, and one short request. */
const sampleSize = 100;
const pictureSampleSize = 6;

/** What an estimate is made with. */
export interface EstimateParts {
  source: OpenCatalog;
  thumbnails: Thumbnails;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Asks for the first page of a question and a few of its pictures, and measures them. What came is kept.
 * @throws AppError as `ItemPages.next`
 */
export async function estimateOffline(
  { query, localFilter }: SavedQuestion,
  { source, thumbnails, clock, signal }: EstimateParts,
): Promise<OfflineEstimate & { items: IdentifiedItem[] }> {
  const { catalog } = await source.connection.access();
  const pages = catalog.search({ ...toWholeQuery(query), limit: sampleSize });
  const startedMs = performance.now();
  const page = await source.connection.ask(() => pages.next({ signal }));
  const itemMs = performance.now() - startedMs;
  const items = page?.items ?? [];
  await source.library.saveItems(items, clock.now());
  const passing = items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
  const withPicture = passing.filter(({ item }) => summariseAssets(item).hasThumbnail);
  return {
    items: passing,
    itemCount: pages.hasMore ? (page?.matched ?? null) : items.length,
    sampleCount: items.length,
    itemBytes: items.reduce((sum, { item }) => sum + JSON.stringify(item).length, 0),
    itemMs,
    pictureCount: withPicture.length,
    ...(await samplePictures(withPicture, { thumbnails, signal })),
  };
}

// Spread over the page: neighbours are often alike.
async function samplePictures(
  items: readonly IdentifiedItem[],
  { thumbnails, signal }: Pick<EstimateParts, 'thumbnails' | 'signal'>,
) {
  const step = Math.max(1, Math.floor(items.length / pictureSampleSize));
  const sample = items.filter((_, index) => index % step === 0).slice(0, pictureSampleSize);
  const startedMs = performance.now();
  const pictures = await Promise.all(
    sample.map(({ ref }) => thumbnails.fetch(ref, signal).catch(() => null)),
  );
  signal.throwIfAborted();
  const found = pictures.filter((picture) => picture !== null);
  return {
    sampledPictureCount: found.length,
    pictureBytes: found.reduce((sum, { bytes }) => sum + bytes.length, 0),
    pictureMs: performance.now() - startedMs,
  };
}
