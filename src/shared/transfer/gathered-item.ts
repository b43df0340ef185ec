import { z } from 'zod';
import type { IdentifiedItem } from '../stac/item.ts';
import { isJsonObject } from '../stac/json.ts';

/** The most Items that one order of a command takes. */
export const maxGatheredItems = 10_000;

/** The longest Item as JSON, in UTF-16 units; with all of it escaped, it still fits into a message. */
export const maxGatheredLength = 15 * 1024 * 1024;

/** An Item that is to be ordered; as text, since thousands of them lie in memory together. */
export const gatheredItemSchema = z.object({
  ref: z.object({ collectionId: z.string().min(1), itemId: z.string().min(1) }),
  /** Null: it is asked for. */
  text: z.string().max(maxGatheredLength).nullable(),
});

/** An Item that is to be ordered. */
export type GatheredItem = z.infer<typeof gatheredItemSchema>;

/** An Item as it is gathered. What was cut down to some fields may lack what a download needs, and is asked for. */
export function toGatheredItem({ ref, item, isPartial }: IdentifiedItem): GatheredItem {
  const isWhole = !isPartial && isJsonObject(item['assets']) && typeof item['type'] === 'string';
  return { ref, text: isWhole ? JSON.stringify(item) : null };
}
