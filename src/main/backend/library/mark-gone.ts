import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { toItemKey } from '#shared/stac/item-key.ts';
import { coversQuestion } from '#shared/search/coverage/covers-question.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { Library } from './library.ts';

/** Earlier records that one run is held against. */
const maxEarlierRuns = 500;
/** Positions of a record that are looked at in one task. */
const positionsPerLook = 500;

/** A run of a search that brought all there was. */
export interface WholeRun {
  searchNumber: number;
  query: SearchQuery;
  /** When it began, in milliseconds since 1970 UTC. What was fetched since is not judged by it. */
  beganAtMs: number;
}

/**
 * Marks Items that the catalog gave before to this question, or to one within it, that match it still, and that a whole
 * run didn't bring. They stay; one that comes again is no longer marked. Resolves with how many these are.
 */
export async function markGone(library: Library, run: WholeRun): Promise<number> {
  const { searchNumber, query, beganAtMs } = run;
  const earlier = library.runs
    .earlierRuns(searchNumber, maxEarlierRuns)
    .filter((other) => coversQuestion(query, other.query))
    .map((other) => other.searchNumber);
  let count = 0;
  for (const number of earlier) {
    const size = library.runs.countPositions(number);
    for (let from = 0; from < size; from += positionsPerLook) {
      await yieldToOthers();
      const missing = library.runs.missing(searchNumber, { number, from, to: from + positionsPerLook });
      const gone = missing.length > 0 ? await findMatching(library, query, missing) : [];
      if (gone.length > 0) await library.markGone(gone, beganAtMs);
      count += gone.length;
    }
  }
  return count;
}

/** An Item that came to this library from another one, and when it was fetched there. */
export interface BroughtItem {
  ref: ItemRef;
  /** In milliseconds since 1970 UTC. */
  fetchedAtMs: number;
}

/** Marks those of brought Items that a catalog has lost since: whole runs of later, whose question they match, lack them. */
export async function markGoneSince(library: Library, brought: readonly BroughtItem[]): Promise<void> {
  const judged = new Set<string>();
  for (const { searchNumber, query, fetchedAtMs } of library.runs.completeRuns()) {
    // The newest of a question's runs comes first, and knows best.
    const key = toQueryKey(query);
    if (judged.has(key)) continue;
    judged.add(key);
    const { collections, ids } = query;
    const older = brought.filter(
      ({ ref, fetchedAtMs: broughtMs }) =>
        broughtMs < fetchedAtMs &&
        (collections?.includes(ref.collectionId) ?? true) &&
        (ids?.includes(ref.itemId) ?? true),
    );
    for (let from = 0; from < older.length; from += positionsPerLook) {
      await yieldToOthers();
      const refs = older.slice(from, from + positionsPerLook).map(({ ref }) => ref);
      // What a file has, no catalog need ever have had.
      const missing = library.runs
        .lacking(searchNumber, refs)
        .filter((ref) => library.imports.ofItem(ref) === null);
      const gone = missing.length > 0 ? await findMatching(library, query, missing) : [];
      if (gone.length > 0) await library.markGone(gone, fetchedAtMs);
    }
  }
}

// What changed so that it no longer matches isn't gone.
async function findMatching(
  library: Library,
  query: SearchQuery,
  refs: readonly ItemRef[],
): Promise<ItemRef[]> {
  const { fields: _fields, ids: _ids, ...question } = query;
  const ids = [...new Set(refs.map(({ itemId }) => itemId))];
  // Two collections may have Items of one id.
  const { items } = await library.engine.search({ ...question, ids }, { limit: 10 * positionsPerLook });
  const matching = new Set(items.map(({ ref }) => toItemKey(ref)));
  return refs.filter((ref) => matching.has(toItemKey(ref)));
}
