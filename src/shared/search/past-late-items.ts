import { datetimeOf, type IdentifiedItem } from '../stac/item.ts';

/** Catalogs publish images days and weeks after these were taken, out of order and again. */
const lateMs = 30 * 86_400_000;

/**
 * Whether all of these Items, a page of an answer with the newest first, were taken so long ago that what follows holds
 * none that was published since the last look. Without a moment they come last in that order.
 */
export function isPastLateItems(items: readonly IdentifiedItem[], nowMs: number): boolean {
  return items.every(({ item }) => (datetimeOf(item) ?? -Infinity) / 1000 < nowMs - lateMs);
}
