import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readCollection, type StacCollection } from '#shared/stac/collection.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { readItem, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { ReceiptEntry } from '../downloads/output/receipt.ts';
import { sniffPicture } from '../thumbnails/sniff-picture.ts';
import { toRefKey } from './gather-content.ts';
import { refuseIfStopped, refusePack } from './pack-error.ts';
import { readJsonEntry, type PackFile } from './pack-file.ts';
import {
  basemapPart,
  collectionsSchema,
  fetchedSchema,
  fileLineSchema,
  filesFolder,
  packParts,
  searchLineSchema,
  thumbnailFolder,
  thumbnailLineSchema,
  type SearchLine,
} from './pack-format.ts';
import { readValues, readValuesAs } from './read-values.ts';
import type { StagedPack } from './stage-pack.ts';

/** An Item of a pack, and when it was fetched. */
export interface PackedItem {
  one: IdentifiedItem;
  fetchedAtMs: number;
}

/** A downloaded file of a pack. */
export interface PackedFile {
  ref: ItemRef;
  receipt: ReceiptEntry;
  /** Where it lies now; null where files are not wanted. */
  stagedPath: string | null;
}

/** What is in a staged pack, all of it read once and found in order. */
export interface PackContent {
  collections: StacCollection[];
  collectionsFetchedAtMs: number | null;
  queryables: { collectionId: string; answer: JsonObject; fetchedAtMs: number }[];
  items(): AsyncGenerator<PackedItem>;
  searches(): AsyncGenerator<SearchLine>;
  thumbnails(): AsyncGenerator<{ ref: ItemRef; mediaType: string; bytes: Buffer; fetchedAtMs: number }>;
  files: PackedFile[];
  /** Its map, which was not looked into. */
  basemap: { stagedPath: string; sha256: string } | null;
}

/**
 * Reads a staged pack to its end and checks that its parts go together, before anything of it is used. The signal is
 * heeded by whatever reads it from then on, too.
 * @throws AppError `exchange.unreadable`, `cancelled`
 */
export async function readContent(
  pack: PackFile,
  staged: StagedPack,
  signal: AbortSignal,
): Promise<PackContent> {
  const { counts, entries } = pack.manifest;
  const need = (part: string): string => {
    const path = staged.pathOf(part);
    if (path === null) throw refusePack(`It has no ${part}.`);
    return path;
  };
  const paths = {
    items: need(packParts.items),
    fetched: need(packParts.fetched),
    searches: need(packParts.searches),
    thumbnails: need(packParts.thumbnails),
  };
  const content: PackContent = {
    ...(await readCollections(need(packParts.collections))),
    items: () => heed(signal, readItems(paths)),
    searches: () => heed(signal, readValuesAs(paths.searches, searchLineSchema)),
    thumbnails: () => heed(signal, readThumbnails(paths.thumbnails, staged)),
    files: [],
    basemap: findBasemap(pack, staged),
  };

  const assetKeys = new Map<string, string[]>();
  for await (const { one } of content.items()) {
    const key = toRefKey(one.ref);
    if (assetKeys.has(key)) throw refusePack(`The item ${one.ref.itemId} is in it twice.`);
    assetKeys.set(key, counts.files === 0 ? [] : assetsOf(one.item).map(({ key: assetKey }) => assetKey));
  }
  checkCount('items', assetKeys.size, counts.items);
  const searchCount = await checkSearches(content.searches(), assetKeys);
  checkCount('searches', searchCount, counts.searches);
  let thumbnailCount = 0;
  for await (const { ref } of content.thumbnails()) {
    thumbnailCount += 1;
    if (!assetKeys.has(toRefKey(ref))) throw refusePack('It has a picture of an item that is not in it.');
  }
  checkCount('pictures', thumbnailCount, counts.thumbnails);

  const known = new Set(entries.map(({ path }) => path));
  for await (const line of readFileLines(need(packParts.files), { assetKeys, known }))
    content.files.push({
      ref: toRef(line.item),
      receipt: line.receipt,
      stagedPath: staged.pathOf(line.path),
    });
  checkCount('files', content.files.length, counts.files);
  return content;
}

type AssetKeys = ReadonlyMap<string, readonly string[]>;

/** Gives how many searches there are. */
async function checkSearches(searches: AsyncIterable<SearchLine>, assetKeys: AssetKeys): Promise<number> {
  let count = 0;
  for await (const { items } of searches) {
    count += 1;
    // The answer would be called whole without them.
    if (!items.every((pair) => assetKeys.has(toRefKey(toRef(pair)))))
      throw refusePack('It has an answer with an item that is not in it.');
  }
  return count;
}

async function* readFileLines(
  path: string,
  { assetKeys, known }: { assetKeys: AssetKeys; known: ReadonlySet<string> },
) {
  const listed = new Set<string>();
  for await (const line of readValuesAs(path, fileLineSchema)) {
    if (!assetKeys.get(toRefKey(toRef(line.item)))?.includes(line.receipt.asset))
      throw refusePack('It has a file of an asset that is not in it.');
    if (!line.path.startsWith(`${filesFolder}/`) || !known.has(line.path))
      throw refusePack('It lists a file that is not in it.');
    const asset = JSON.stringify([line.item, line.receipt.asset]);
    if (listed.has(line.path) || listed.has(asset)) throw refusePack('It lists a file twice.');
    listed.add(line.path).add(asset);
    yield line;
  }
}

async function* heed<Value>(signal: AbortSignal, values: AsyncIterable<Value>): AsyncGenerator<Value> {
  for await (const value of values) {
    refuseIfStopped(signal);
    yield value;
  }
}

function findBasemap({ manifest }: PackFile, staged: StagedPack): PackContent['basemap'] {
  const stagedPath = staged.pathOf(basemapPart);
  const entry = manifest.entries.find(({ path }) => path === basemapPart);
  return entry && stagedPath !== null ? { stagedPath, sha256: entry.sha256 } : null;
}

async function readCollections(path: string) {
  const parsed = collectionsSchema.safeParse(await readJsonEntry(createReadStream(path)));
  if (!parsed.success) throw refusePack('Its collections are not what they should be.');
  const collections = parsed.data.collections.map((value) => {
    const collection = readCollection(value);
    if (!collection) throw refusePack('One of its collections has no id.');
    return collection;
  });
  return { collections, collectionsFetchedAtMs: parsed.data.fetchedAtMs, queryables: parsed.data.queryables };
}

async function* readItems({
  items,
  fetched,
}: {
  items: string;
  fetched: string;
}): AsyncGenerator<PackedItem> {
  const dates = readValuesAs(fetched, fetchedSchema);
  for await (const value of readValues(items)) {
    const reading = readItem(value);
    const date = await dates.next();
    if ('reason' in reading) throw refusePack(`One of its items can't be used: ${reading.reason}.`);
    if (date.done) throw refusePack('It says of too few items when they were fetched.');
    const { fetchedAtMs, isPartial } = date.value;
    yield { one: { ...reading, ...(isPartial ? { isPartial } : {}) }, fetchedAtMs };
  }
  if (!(await dates.next()).done) throw refusePack('It says of too many items when they were fetched.');
}

async function* readThumbnails(path: string, staged: StagedPack) {
  for await (const line of readValuesAs(path, thumbnailLineSchema)) {
    const stagedPath = line.path.startsWith(`${thumbnailFolder}/`) ? staged.pathOf(line.path) : null;
    if (stagedPath === null) throw refusePack('It lists a picture that is not in it.');
    const bytes = await readFile(stagedPath);
    const mediaType = sniffPicture(bytes);
    if (mediaType === null) throw refusePack('One of its pictures is no picture.');
    yield { ref: toRef(line.item), mediaType, bytes, fetchedAtMs: line.fetchedAtMs };
  }
}

function toRef([collectionId, itemId]: [string, string]): ItemRef {
  return { collectionId, itemId };
}

function checkCount(what: string, found: number, said: number): void {
  if (found === said) return;
  throw refusePack(`Its manifest says ${String(said)} ${what}, and there are ${String(found)}.`);
}
