import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { PackChoice, PackCounts } from '#shared/pack/pack-choice.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { findDownloadedFiles, type DownloadedFile } from '../sharing/downloaded-files.ts';

/** A search that goes into a pack. */
export interface GatheredSearch {
  past: PastSearch;
  leftOutCount: number;
  refs: ItemRef[];
}

/** What goes into a pack, by name; the content is read when it is written. */
export interface GatheredContent {
  searches: GatheredSearch[];
  /** Each Item once. */
  refs: ItemRef[];
  /** Items with files, and those. */
  files: { one: IdentifiedItem; files: DownloadedFile[] }[];
  counts: PackCounts;
  /** About how large the pack will be. */
  sizeBytes: number;
}

interface GatherParts {
  library: Library;
  destinations: readonly string[];
  signal: AbortSignal;
}

const itemsPerTurn = 200;

// JSON of Items packs to about a sixth.
const packedShare = 1 / 6;

/** Looks up what a choice comes to. @throws AppError `saved.not-found`, `exchange.nothing`, `cancelled` */
export async function gatherContent(choice: PackChoice, parts: GatherParts): Promise<GatheredContent> {
  const { library, destinations, signal } = parts;
  const searches = choice.searchNumbers.map((searchNumber) => gatherSearch(library, searchNumber));
  const byKey = new Map<string, ItemRef>();
  for (const ref of [...searches.flatMap(({ refs }) => refs), ...choice.refs]) byKey.set(toRefKey(ref), ref);
  const content: GatheredContent = {
    searches,
    refs: [],
    files: [],
    counts: { items: 0, searches: searches.length, thumbnails: 0, files: 0, collections: 0 },
    sizeBytes: 0,
  };
  const collectionIds = new Set<string>();
  let jsonBytes = 0;
  for (const [index, ref] of [...byKey.values()].entries()) {
    if (index % itemsPerTurn === itemsPerTurn - 1) await yieldToOthers();
    if (signal.aborted) throw new AppError('cancelled', 'The field pack was not made');
    const one = library.item(ref)?.value;
    if (!one) continue;
    content.refs.push(ref);
    collectionIds.add(ref.collectionId);
    jsonBytes += JSON.stringify(one.item).length;
    const thumbnail = choice.withThumbnails ? library.thumbnail(ref) : null;
    if (thumbnail) {
      content.counts.thumbnails += 1;
      content.sizeBytes += thumbnail.value.bytes.length;
    }
    const found = choice.withFiles ? [...(await findDownloadedFiles(one, destinations)).values()] : [];
    if (found.length === 0) continue;
    content.files.push({ one, files: found });
    content.counts.files += found.length;
    content.sizeBytes += found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }
  content.counts.items = content.refs.length;
  content.counts.collections = collectionIds.size;
  content.sizeBytes += Math.ceil(jsonBytes * packedShare);
  if (content.refs.length === 0)
    throw new AppError('exchange.nothing', 'There is nothing to put into a field pack');
  return content;
}

/** The same text for the same Item. */
export function toRefKey({ collectionId, itemId }: ItemRef): string {
  return JSON.stringify([collectionId, itemId]);
}

function gatherSearch(library: Library, searchNumber: number): GatheredSearch {
  const past = library.pastSearch(searchNumber);
  if (!past) throw new AppError('saved.not-found', `There is no past search ${String(searchNumber)}`);
  const refs: ItemRef[] = [];
  for (let from = 0; ;) {
    const page = library.runs.items(searchNumber, { from, limit: 1000 });
    refs.push(...page.map(({ ref }) => ref));
    const last = page.at(-1);
    if (!last || page.length < 1000) break;
    from = last.position + 1;
  }
  const leftOutCount = Math.max(0, refs.length + past.evictedCount - past.count);
  return { past, leftOutCount, refs };
}
