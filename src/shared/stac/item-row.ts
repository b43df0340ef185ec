import { z } from 'zod';
import { geometrySchema } from './geometry.ts';
import { bboxOf, cloudCoverOf, footprintOf, propertiesOf, timeOf, type IdentifiedItem } from './item.ts';
import { summariseAssets } from './thumbnail.ts';
import { fromEpochMicros } from './timestamp.ts';

/** What the map and the result list need of an Item. Slim on purpose: the whole Item is asked for when it is opened. */
export const itemRowSchema = z.object({
  collectionId: z.string(),
  itemId: z.string(),
  /** RFC 3339 UTC; the start of the span for Items that have only one; null when unknown. */
  datetime: z.string().nullable(),
  /** Where the span ends, RFC 3339 UTC; left out for Items of one moment. */
  endDatetime: z.string().optional(),
  /** Per cent, null when unknown. */
  cloudCover: z.number().nullable(),
  platform: z.string().nullable(),
  footprint: geometrySchema.nullable(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  assetCount: z.number().int(),
  hasThumbnail: z.boolean(),
  /** Whether the question's `fields` cut the Item down; opening it fetches the rest. */
  isPartial: z.boolean(),
  /** When the catalog was found to have it no more, RFC 3339; left out while it isn't known to be gone. */
  goneAt: z.string().optional(),
});

/** One row of results. */
export type ItemRow = z.infer<typeof itemRowSchema>;

/** The row of an Item. */
export function toItemRow({ ref, item, isPartial = false, goneAtMs }: IdentifiedItem): ItemRow {
  const { datetimeMicros, startMicros, endMicros } = timeOf(item);
  const platform = propertiesOf(item)['platform'];
  const bbox = bboxOf(item);
  return {
    ...ref,
    datetime: datetimeMicros === null ? null : fromEpochMicros(datetimeMicros),
    ...(endMicros === null || endMicros === startMicros ? {} : { endDatetime: fromEpochMicros(endMicros) }),
    cloudCover: cloudCoverOf(item),
    platform: typeof platform === 'string' ? platform : null,
    footprint: footprintOf(item) as ItemRow['footprint'],
    bbox: bbox && [...bbox],
    ...summariseAssets(item),
    isPartial,
    ...(goneAtMs === undefined ? {} : { goneAt: new Date(goneAtMs).toISOString() }),
  };
}
