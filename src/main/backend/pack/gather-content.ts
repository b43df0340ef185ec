import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { uniteBboxes } from '#shared/geo/unite-bboxes.ts';
import type { PackChoice, PackCounts } from '#shared/pack/pack-choice.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { bboxOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { planExtract } from '../basemaps/extract-basemap.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { findDownloadedFiles, type DownloadedFile } from '../sharing/downloaded-files.ts';
import { nothingToPack } from './pack-error.ts';

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
  /** The map of the area that the Items cover. */
  basemap: { source: BasemapSettings; bbox: Bbox; maxZoom: number; sizeBytes: number } | null;
  counts: PackCounts;
  /** About how large the pack will be. */
  sizeBytes: number;
}

interface GatherParts {
  library: Library;
  destinations: readonly string[];
  /** A person's own. */
  basemaps: readonly BasemapSettings[];
  signal: AbortSignal;
}

// Minutes of copying, and a file that still fits on any stick.
const basemapBudget = { tiles: 25_000, bytes: 256 * 1024 * 1024 };

const itemsPerTurn = 200;

// JSON of Items packs to about a sixth.
const packedShare = 1 / 6;

/**
 * Looks up what a choice comes to.
 * @throws AppError `saved.not-found`, `exchange.nothing`, `basemap.not-found`, `basemap.unreadable`, `cancelled`
 */
export async function gatherContent(choice: PackChoice, parts: GatherParts): Promise<GatheredContent> {
  const { library, destinations, signal } = parts;
  // In the order in which they were asked: the history there gives them numbers as they come.
  const searchNumbers = choice.searchNumbers.toSorted((a, b) => a - b);
  const searches = searchNumbers.map((searchNumber) => gatherSearch(library, searchNumber));
  const byKey = new Map<string, ItemRef>();
  for (const ref of [...searches.flatMap(({ refs }) => refs), ...choice.refs]) byKey.set(toRefKey(ref), ref);
  const content: GatheredContent = {
    searches,
    refs: [],
    files: [],
    basemap: null,
    counts: { items: 0, searches: searches.length, thumbnails: 0, files: 0, collections: 0, basemaps: 0 },
    sizeBytes: 0,
  };
  const boxes: Bbox[] = [];
  for (const [index, ref] of [...byKey.values()].entries()) {
    if (index % itemsPerTurn === itemsPerTurn - 1) await yieldToOthers();
    if (signal.aborted) throw new AppError('cancelled', 'The field pack was not made');
    const one = library.item(ref)?.value;
    if (!one) continue;
    const bbox = bboxOf(one.item);
    if (bbox) boxes.push(bbox);
    content.refs.push(ref);
    content.sizeBytes += JSON.stringify(one.item).length * packedShare;
    if (choice.withThumbnails) addThumbnail(content, library.thumbnail(ref)?.value.bytes);
    if (choice.withFiles) addFiles(content, one, await findDownloadedFiles(one, destinations));
  }
  if (content.refs.length === 0) throw nothingToPack();
  content.counts.items = content.refs.length;
  content.counts.collections = new Set(content.refs.map(({ collectionId }) => collectionId)).size;
  content.sizeBytes = Math.ceil(content.sizeBytes);
  await addBasemap(content, choice, { boxes, basemaps: parts.basemaps });
  return content;
}

function addThumbnail(content: GatheredContent, bytes: Buffer | undefined): void {
  if (!bytes) return;
  content.counts.thumbnails += 1;
  content.sizeBytes += bytes.length;
}

function addFiles(
  content: GatheredContent,
  one: IdentifiedItem,
  found: ReadonlyMap<string, DownloadedFile>,
): void {
  const files = [...found.values()];
  if (files.length === 0) return;
  content.files.push({ one, files });
  content.counts.files += files.length;
  content.sizeBytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

async function addBasemap(
  content: GatheredContent,
  { basemapId }: PackChoice,
  { boxes, basemaps }: { boxes: readonly Bbox[]; basemaps: readonly BasemapSettings[] },
): Promise<void> {
  if (basemapId === null) return;
  const source = basemaps.find(({ id }) => id === basemapId);
  if (!source) throw new AppError('basemap.not-found', 'That basemap is no longer in the list');
  const bbox = uniteBboxes(boxes);
  const plan = bbox && (await planExtract(source, { bbox, budget: basemapBudget }));
  if (!plan) return;
  content.basemap = { source, bbox, maxZoom: plan.maxZoom, sizeBytes: plan.sizeBytes };
  content.counts.basemaps = 1;
  content.sizeBytes += plan.sizeBytes;
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
