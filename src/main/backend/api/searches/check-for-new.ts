import type { LocalFilter } from '#shared/search/local-filter.ts';
import { isPastLateItems } from '#shared/search/past-late-items.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import type { ItemPages } from '../../catalog/catalog-client.ts';

/** Pages that one check asks for at most. */
const maxPages = 5;
const pageSize = 250;

/**
 * The question with which a check looks for new items: as little of each as will do, in pages of a handy size. The
 * order stays: in another one the first items of the answer would be others.
 */
export function toCheckQuery({ query }: SavedQuestion): SearchQuery {
  return {
    ...query,
    limit: Math.min(query.limit ?? pageSize, pageSize),
    fields: { include: ['id', 'collection', 'properties.datetime', 'properties.eo:cloud_cover'] },
  };
}

/**
 * Counts the items of an answer that no look has had. Newest first, a page without new ones ends it, unless some that were
 * published late may follow. `isAtLeast` tells that it ended with the pages allowed to it.
 */
export async function countNew(
  pages: ItemPages,
  options: {
    question: SavedQuestion;
    findUnseen: (refs: readonly ItemRef[]) => readonly number[];
    /** In milliseconds since 1970 UTC. */
    nowMs: number;
    signal: AbortSignal;
  },
): Promise<{ count: number; isAtLeast: boolean }> {
  const { question, findUnseen, nowMs, signal } = options;
  const isNewestFirst = (question.query.sortby ?? []).length === 0;
  let left = question.maxItems ?? Infinity;
  let count = 0;
  for (let number = 0; number < maxPages && left > 0; number += 1) {
    const page = await pages.next({ signal });
    if (!page) return { count, isAtLeast: false };
    const refs = takePassing(page.items, question.localFilter).slice(0, left);
    const found = findUnseen(refs).length;
    count += found;
    left -= refs.length;
    const isOld = isNewestFirst && refs.length > 0 && isPastLateItems(page.items, nowMs);
    if (!pages.hasMore || (isOld && found === 0)) return { count, isAtLeast: false };
  }
  return { count, isAtLeast: left > 0 && count > 0 };
}

function takePassing(items: readonly IdentifiedItem[], filter: LocalFilter | null): ItemRef[] {
  return items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), filter)).map(({ ref }) => ref);
}
