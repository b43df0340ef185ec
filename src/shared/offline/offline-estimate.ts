import { z } from 'zod';

const count = z.number().int().min(0);

/** What a catalog was asked to know how much taking a question offline would be. */
export const offlineEstimateSchema = z.object({
  /** All Items of the question; null where the catalog doesn't say and there are more than were looked at. */
  itemCount: count.nullable(),
  /** Items that were looked at: the first page. The figures below are of these. */
  sampleCount: count,
  /** Their bytes as JSON, and the milliseconds that they took. */
  itemBytes: count,
  itemMs: z.number(),
  /** How many of them have a picture; bytes and milliseconds of those that were fetched to see. */
  pictureCount: count,
  sampledPictureCount: count,
  pictureBytes: count,
  pictureMs: z.number(),
});

/** What a catalog was asked to know how much taking a question offline would be. */
export type OfflineEstimate = z.infer<typeof offlineEstimateSchema>;

/** How much there is of something, as far as it is known. */
export interface OfflineSize {
  count: number;
  /** Null where not one could be looked at. */
  bytes: number | null;
  durationMs: number | null;
}

/** All Items of an estimate; null where their number isn't known. */
export function sizeOfItems(estimate: OfflineEstimate): OfflineSize | null {
  const { itemCount, sampleCount, itemBytes, itemMs } = estimate;
  if (itemCount === null) return null;
  if (sampleCount === 0) return { count: itemCount, bytes: 0, durationMs: 0 };
  const share = itemCount / sampleCount;
  return { count: itemCount, bytes: Math.round(itemBytes * share), durationMs: itemMs * share };
}

/** All pictures of an estimate; null where the number of Items isn't known. */
export function sizeOfPictures(estimate: OfflineEstimate): OfflineSize | null {
  const { itemCount, sampleCount, pictureCount, sampledPictureCount, pictureBytes, pictureMs } = estimate;
  if (itemCount === null) return null;
  const count = sampleCount === 0 ? 0 : Math.round((itemCount / sampleCount) * pictureCount);
  if (count === 0) return { count, bytes: 0, durationMs: 0 };
  if (sampledPictureCount === 0) return { count, bytes: null, durationMs: null };
  const share = count / sampledPictureCount;
  return { count, bytes: Math.round(pictureBytes * share), durationMs: pictureMs * share };
}
