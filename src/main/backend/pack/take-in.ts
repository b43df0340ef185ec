import { isDeepStrictEqual } from 'node:util';
import type { PackOutcome } from '#shared/pack/pack-choice.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { ImportOrigin } from '../library/import-store.ts';
import type { Library, PastSearch } from '../library/library.ts';
import type { BroughtItem } from '../library/mark-gone.ts';
import type { SearchLine } from './pack-format.ts';
import type { PackContent } from './read-content.ts';

const itemsPerPage = 500;

// A newer run of a question is not to be hidden behind an older one of a pack.
const searchesLookedThrough = 10_000;

interface TakeInParts {
  library: Library;
  nowMs: number;
  /** Called with each Item, search and picture. */
  onStep: () => void;
}

/** What was taken in, and what is to be done once it is kept. */
interface TakenIn {
  counts: Omit<PackOutcome, 'filesTaken' | 'filesKept' | 'basemapsTaken'>;
  /** Items that are as of the pack now. */
  brought: BroughtItem[];
  /** Questions that had a name where the pack was made. */
  named: { name: string; question: SavedQuestion }[];
}

/** Takes the content of a checked pack into a library. All of it is as of when it was fetched; what is newer here stays. */
export async function takeIn(content: PackContent, parts: TakeInParts): Promise<TakenIn> {
  await takeCollections(content, parts);
  const { brought, itemsKept } = await takeItems(content, parts);
  const { searchesTaken, named } = await takeSearches(content, parts);
  let thumbnailsTaken = 0;
  for await (const { ref, mediaType, bytes, fetchedAtMs } of content.thumbnails()) {
    parts.onStep();
    if (parts.library.thumbnail(ref)) continue;
    await parts.library.saveThumbnail(ref, { mediaType, bytes }, Math.min(fetchedAtMs, parts.nowMs));
    thumbnailsTaken += 1;
  }
  return {
    counts: { itemsTaken: brought.length, itemsKept, searchesTaken, thumbnailsTaken },
    brought,
    named,
  };
}

async function takeCollections(content: PackContent, { library, nowMs }: TakeInParts): Promise<void> {
  const kept = library.collections();
  const known = new Set(kept?.value.map(({ id }) => id));
  const added = content.collections.filter(({ id }) => !known.has(id));
  const fetchedAtMs = kept?.fetchedAtMs ?? Math.min(content.collectionsFetchedAtMs ?? nowMs, nowMs);
  if (added.length > 0) await library.saveCollections([...(kept?.value ?? []), ...added], fetchedAtMs);
  for (const { collectionId, answer, fetchedAtMs: answeredAtMs } of content.queryables) {
    if ((library.queryables([collectionId])?.fetchedAtMs ?? -1) >= answeredAtMs) continue;
    await library.saveQueryables([collectionId], answer, Math.min(answeredAtMs, nowMs));
  }
}

async function takeItems(
  content: PackContent,
  { library, nowMs, onStep }: TakeInParts,
): Promise<Pick<TakenIn, 'brought'> & { itemsKept: number }> {
  const brought: BroughtItem[] = [];
  let itemsKept = 0;
  let page: IdentifiedItem[] = [];
  let pageAtMs = 0;
  const flush = async () => {
    if (page.length > 0) await library.saveItems(page, pageAtMs);
    page = [];
  };
  for await (const { one, fetchedAtMs } of content.items()) {
    onStep();
    const atMs = Math.min(fetchedAtMs, nowMs);
    const kept = library.item(one.ref);
    const isCompleted = kept?.value.isPartial === true && one.isPartial !== true;
    if (kept && kept.fetchedAtMs >= atMs && !isCompleted) {
      itemsKept += 1;
      continue;
    }
    if (atMs !== pageAtMs || page.length >= itemsPerPage) await flush();
    pageAtMs = atMs;
    page.push(one);
    brought.push({ ref: one.ref, fetchedAtMs: atMs });
  }
  await flush();
  await library.settle();
  return { brought, itemsKept };
}

async function takeSearches(
  content: PackContent,
  { library, nowMs, onStep }: TakeInParts,
): Promise<Pick<TakenIn, 'named'> & { searchesTaken: number }> {
  const toKey = (search: Pick<SavedQuestion, 'query' | 'localFilter'>): string =>
    JSON.stringify([toQueryKey(search.query), search.localFilter]);
  const latest = new Map<string, Pick<PastSearch, 'searchNumber' | 'fetchedAtMs'>>();
  for (const past of library.pastSearches({ limit: searchesLookedThrough })) {
    const origin = library.imports.ofSearch(past.searchNumber);
    latest.set(origin ? toFileKey(origin) : toKey(past), past);
  }
  const named: TakenIn['named'] = [];
  let searchesTaken = 0;
  for await (const { savedAs, items, fetchedAtMs, file, ...search } of content.searches()) {
    onStep();
    const refs = items.map(([collectionId, itemId]) => ({ collectionId, itemId }));
    if (file) {
      const origin = toOrigin(file, { fetchedAtMs, nowMs });
      if (latest.has(toFileKey(origin))) continue;
      await takeFile(library, { origin, refs, places: file.places });
      searchesTaken += 1;
      continue;
    }
    const { query, localFilter } = search;
    if (savedAs !== null) named.push({ name: savedAs, question: { query, localFilter, maxItems: null } });
    const kept = latest.get(toKey(search));
    if (kept && (kept.fetchedAtMs >= fetchedAtMs || isSameAhead(library, { kept, fetchedAtMs, nowMs, refs })))
      continue;
    await library.saveSearch({ ...search, items: refs }, Math.min(fetchedAtMs, nowMs));
    searchesTaken += 1;
  }
  return { searchesTaken, named };
}

/** Whether a run whose date is ahead of the clock here, and that was kept as of the moment then, is that run. */
function isSameAhead(
  library: Library,
  run: {
    kept: Pick<PastSearch, 'searchNumber'>;
    fetchedAtMs: number;
    nowMs: number;
    refs: readonly ItemRef[];
  },
): boolean {
  const { kept, fetchedAtMs, nowMs, refs } = run;
  if (fetchedAtMs <= nowMs) return false;
  const items = library.runs.items(kept.searchNumber, { from: 0, limit: refs.length + 1 });
  return isDeepStrictEqual(
    items.map(({ ref }) => ref),
    refs,
  );
}

function toFileKey({ fileName, importedAtMs }: ImportOrigin): string {
  return JSON.stringify(['file', fileName, importedAtMs]);
}

function toOrigin(
  { name, format, importedAtMs }: NonNullable<SearchLine['file']>,
  { fetchedAtMs, nowMs }: { fetchedAtMs: number; nowMs: number },
): ImportOrigin {
  // When it was imported tells it from others of its name, whatever the clock here says.
  return { fileName: name, format, asOfMs: Math.min(fetchedAtMs, nowMs), importedAtMs };
}

/** Keeps the record of a file, and which of its Items came from it: those that weren't here as fresh before the pack. */
async function takeFile(
  library: Library,
  file: { origin: ImportOrigin; refs: readonly ItemRef[]; places: readonly number[] },
): Promise<void> {
  const { origin, refs } = file;
  const places = new Set(file.places);
  const searchNumber = await library.imports.begin(origin);
  for (let from = 0; from < refs.length; from += itemsPerPage) {
    const page = refs.slice(from, from + itemsPerPage);
    // As they were: what is written together isn't seen before all of it is.
    const marks = library.marksOf(page);
    const takenRefs = page.filter((_, index) => {
      const kept = marks[index];
      return places.has(from + index) && (!kept || kept.isPartial || kept.fetchedAtMs < origin.asOfMs);
    });
    await library.imports.note({ searchNumber, refs: page, takenRefs });
  }
}
