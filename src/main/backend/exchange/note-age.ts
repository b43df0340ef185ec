import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from '../library/library.ts';

/** Items on their way into a file, and as of when they are. */
export interface AgedItems {
  batches: AsyncIterable<IdentifiedItem[]>;
  /** When the catalog gave the oldest of those that went by, RFC 3339; null before the first. */
  asOf: () => string | null;
}

/**
 * Notes how old the items are that go by. A file is as old as its oldest item: whoever takes it in keeps what is fresher.
 */
export function noteAge(
  given: AsyncIterable<IdentifiedItem[]>,
  library: Pick<Library, 'marksOf'>,
): AgedItems {
  let oldestMs = Infinity;
  async function* batches(): AsyncGenerator<IdentifiedItem[]> {
    for await (const items of given) {
      for (const mark of library.marksOf(items.map(({ ref }) => ref)))
        if (mark) oldestMs = Math.min(oldestMs, mark.fetchedAtMs);
      yield items;
    }
  }
  return {
    batches: batches(),
    asOf: () => (Number.isFinite(oldestMs) ? new Date(oldestMs).toISOString() : null),
  };
}
