import { passesLocalFilter } from '#shared/search/local-filter.ts';
import { isPastLateItems } from '#shared/search/past-late-items.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { NewItem } from './new-assets.ts';

/** How an answer is looked through. */
export interface NewItemsOptions {
  question: SavedQuestion;
  /** Those Items of a list, each with what is new of it, that the rule hasn't dealt with. */
  findNew: (items: readonly IdentifiedItem[]) => readonly NewItem[];
  /** In milliseconds since 1970 UTC. */
  nowMs: number;
  signal: AbortSignal;
}

/** Whole Items lie in memory together until their order is written. */
const mostPages = 20;
const pageSize = 100;
/** What is there when a rule is made: its names alone. */
const mostPresentPages = 40;
const presentPageSize = 250;

/**
 * Items of an answer that a rule hasn't dealt with, the oldest first: what its limits leave is then the newest, which
 * the next run finds again. Newest first, a page without new ones ends the search, unless some that were published late
 * may follow.
 */
export async function findNewItems(
  catalog: Pick<CatalogClient, 'search'>,
  { question, findNew, nowMs, signal }: NewItemsOptions,
): Promise<NewItem[]> {
  const { fields: _, ...query } = inOrder(question);
  const pages = catalog.search({ ...query, limit: Math.min(query.limit ?? pageSize, pageSize) });
  const isNewestFirst = (query.sortby ?? []).length === 0;
  const found: NewItem[] = [];
  let left = question.maxItems ?? Infinity;
  for (let number = 0; number < mostPages && left > 0; number += 1) {
    const page = await pages.next({ signal });
    if (!page) break;
    const passing = takePassing(page.items, question).slice(0, left);
    left -= passing.length;
    const fresh = findNew(passing);
    found.push(...fresh);
    const isOld = passing.length > 0 && isPastLateItems(page.items, nowMs);
    if (isNewestFirst && isOld && fresh.length === 0) break;
  }
  return found.reverse();
}

/** What an answer holds at present, page by page. */
export async function* findPresentItems(
  catalog: Pick<CatalogClient, 'search'>,
  { question, signal }: Pick<NewItemsOptions, 'question' | 'signal'>,
): AsyncGenerator<ItemRef[]> {
  const query = inOrder(question);
  const pages = catalog.search({
    ...query,
    limit: Math.min(query.limit ?? presentPageSize, presentPageSize),
    fields: { include: ['id', 'collection', 'properties.datetime', 'properties.eo:cloud_cover'] },
  });
  for (let number = 0; number < mostPresentPages; number += 1) {
    const page = await pages.next({ signal });
    if (!page) return;
    yield page.items.map(({ ref }) => ref);
  }
}

// The newest first, unless the order says which Items are meant at all.
function inOrder({ query, maxItems }: SavedQuestion): SearchQuery {
  const { sortby, ...rest } = query;
  return maxItems === null || sortby === undefined ? rest : { ...rest, sortby };
}

function takePassing(items: readonly IdentifiedItem[], { localFilter }: SavedQuestion): IdentifiedItem[] {
  return items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
}
