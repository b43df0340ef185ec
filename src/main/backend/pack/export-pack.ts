import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import type { PackChoice } from '#shared/pack/pack-choice.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import { extractBasemap } from '../basemaps/extract-basemap.ts';
import {
  addLinks,
  newLocalCatalog,
  titleOf,
  toLocalCollection,
  toLocalItem,
  withoutQuery,
} from '../downloads/output/local-catalog.ts';
import { isTaken } from '../downloads/file/publish.ts';
import { foldersOf, sidecarNames } from '../downloads/output/output-layout.ts';
import { clashKey, numberName, toSafeName } from '../downloads/output/safe-names.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { gatherContent, type GatheredContent } from './gather-content.ts';
import { packExists } from './pack-error.ts';
import {
  basemapPart,
  filesFolder,
  packExtension,
  packParts,
  packSchema,
  thumbnailFolder,
  type PackManifest,
} from './pack-format.ts';
import { makeWorkFolder } from './work-folder.ts';
import { fileEntry, jsonEntry, linesEntry, writePack, type PackEntry } from './write-pack.ts';

/** Where a pack's content is from. */
export interface PackSource {
  library: Library;
  catalog: { name: string; baseUrl: string | null };
  /** Folders that files were brought to. */
  destinations: readonly string[];
  /** Questions that were saved, by name. */
  saved: readonly { name: string; question: SavedQuestion }[];
  /** A person's own. */
  basemaps: readonly BasemapSettings[];
}

/** How a pack is written. */
export interface ExportPackOptions {
  choice: PackChoice;
  source: PackSource;
  /** Folder that exists; the file is named after `name`. */
  folder: string;
  name: string;
  swathVersion: string;
  /** The map is put together in a folder there. */
  workParent: string;
  nowMs: number;
  onProgress: (progress: { writtenBytes: number; sizeBytes: number }) => void;
  signal: AbortSignal;
}

/**
 * Writes chosen searches, Items, pictures and downloaded files into one file; resolves to its path. Nothing in it says
 * where on this computer anything was, and it holds no token and no signed link.
 * @throws AppError `saved.not-found`, `exchange.nothing`, `exchange.file-exists`, `basemap.*`, `transfer.*`, `cancelled`
 */
export async function exportPack(options: ExportPackOptions): Promise<{ path: string }> {
  const { source, choice, name, signal, onProgress } = options;
  const path = join(
    options.folder,
    `${toSafeName(name, { maxBytes: 120, fallback: 'field pack' })}${packExtension}`,
  );
  // Before a map is put together and all of it written; what can't be looked at is told when it is written to.
  if (await isTaken(path).catch(() => false)) throw packExists(path);
  const content = await gatherContent(choice, { ...source, signal });
  const { baseUrl } = source.catalog;
  const basemap = await makeBasemap(content, options);
  const entries = listEntries(content, { ...source, withThumbnails: choice.withThumbnails });
  await writePack({
    path,
    entries: [...entries, ...(basemap ? [fileEntry(basemapPart, basemap)] : [])],
    toManifest: (entries): PackManifest => ({
      format: 'swath-field-pack',
      schema: packSchema,
      name: name.slice(0, 200),
      catalog: { name: source.catalog.name.slice(0, 200), baseUrl: baseUrl && withoutQuery(baseUrl) },
      createdAt: new Date(options.nowMs).toISOString(),
      swathVersion: options.swathVersion,
      counts: content.counts,
      entries,
    }),
    onProgress: (writtenBytes) => onProgress({ writtenBytes, sizeBytes: content.sizeBytes }),
    signal,
  }).finally(() => basemap?.discard());
  return { path };
}

async function makeBasemap(
  { basemap }: GatheredContent,
  { workParent, onProgress, signal }: ExportPackOptions,
) {
  if (!basemap) return null;
  const { source, bbox, maxZoom } = basemap;
  const folder = await makeWorkFolder(workParent);
  const discard = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, basemapPart);
  try {
    // Nothing is written yet, which says that the map is being put together.
    onProgress({ writtenBytes: 0, sizeBytes: 0 });
    const { sizeBytes } = await extractBasemap(source, { bbox, maxZoom, toFile: path, signal });
    return { path, sizeBytes, discard };
  } catch (thrown) {
    await discard();
    throw thrown;
  }
}

type EntryParts = PackSource & { withThumbnails: boolean };

function listEntries(content: GatheredContent, parts: EntryParts): PackEntry[] {
  const { library } = parts;
  const thumbnails = parts.withThumbnails
    ? content.refs.filter((ref) => library.thumbnail(ref) !== null)
    : [];
  const files = placeFiles(content);
  content.counts.thumbnails = thumbnails.length;
  return [
    jsonEntry(packParts.collections, describeCollections(content, library)),
    linesEntry(packParts.items, () => eachItem(content.refs, library, ({ value }) => withCollection(value))),
    linesEntry(packParts.fetched, () =>
      eachItem(content.refs, library, ({ value, fetchedAtMs }) => ({
        fetchedAtMs,
        isPartial: value.isPartial ?? false,
      })),
    ),
    linesEntry(packParts.searches, () => content.searches.map((search) => describeSearch(search, parts))),
    linesEntry(packParts.thumbnails, () =>
      thumbnails.map((ref, index) => ({
        item: toPair(ref),
        path: toThumbnailPath(index),
        fetchedAtMs: library.thumbnail(ref)?.fetchedAtMs ?? 0,
      })),
    ),
    linesEntry(packParts.files, () =>
      files.map(({ ref, path, file }) => ({
        item: toPair(ref),
        path,
        receipt: { ...file.receipt, file: basename(path) },
      })),
    ),
    ...thumbnails.map((ref, index) => ({
      path: toThumbnailPath(index),
      isPacked: false,
      open: () => [library.thumbnail(ref)?.value.bytes ?? Buffer.alloc(0)],
    })),
    ...files.map(({ path, file }) => fileEntry(path, file)),
    ...describeFolder(content, files, library),
  ];
}

const localCatalogPath = `${filesFolder}/catalog.json`;

type PlacedFile = ReturnType<typeof placeFiles>[number];

/** Paths in the pack as they would be in a destination. Names of different things that are one name get a number. */
function placeFiles({ files }: GatheredContent) {
  const taken = new Set([clashKey(localCatalogPath)]);
  const giveName = (parent: string, wanted: string): string => {
    let number = 1;
    const path = () => `${parent}/${numberName(wanted, number)}`;
    while (taken.has(clashKey(path()))) number += 1;
    taken.add(clashKey(path()));
    return path();
  };
  const collections = new Map<string, string>();
  return files.flatMap(({ one: { ref, item }, files: found }) => {
    const names = foldersOf(ref, item);
    const collection = collections.get(ref.collectionId) ?? giveName(filesFolder, names.collection);
    collections.set(ref.collectionId, collection);
    const folder = giveName(`${collection}/${names.year}`, names.item);
    return found.map((file) => ({ ref, item, folder, path: giveName(folder, basename(file.path)), file }));
  });
}

/** The files' own STAC catalog, for who unpacks them by hand. */
function describeFolder(
  content: GatheredContent,
  files: readonly PlacedFile[],
  library: Library,
): PackEntry[] {
  if (files.length === 0) return [];
  const collections = new Map((library.collections()?.value ?? []).map((one) => [one.id, one]));
  const byFolder = Map.groupBy(files, ({ folder }) => folder);
  const perItem = [...byFolder].flatMap(([folder, found]) => {
    const [first] = found;
    if (!first) return [];
    const local = new Map(
      found.map(({ file, path }) => [file.assetKey, { ...file.receipt, file: basename(path) }]),
    );
    return [
      jsonEntry(`${folder}/${sidecarNames.item}`, toLocalItem(first.item, first.ref, local)),
      jsonEntry(`${folder}/${sidecarNames.receipt}`, [...local.values()]),
    ];
  });
  let catalog = newLocalCatalog();
  const perCollection = [...Map.groupBy(files, ({ folder }) => folder.split('/')[1] ?? '')].flatMap(
    ([name, found]) => {
      const [first] = found;
      if (!first) return [];
      let collection = toLocalCollection(
        collections.get(first.ref.collectionId) ?? null,
        first.ref,
        first.item,
      );
      const items = found.map(({ folder, ref }) => ({
        href: `./${folder.split('/').slice(2).join('/')}/${sidecarNames.item}`,
        title: ref.itemId,
      }));
      collection = addLinks(collection, 'item', items);
      const title = titleOf(collection, first.ref);
      catalog = addLinks(catalog, 'child', [{ href: `./${name}/collection.json`, title }]);
      return [jsonEntry(`${filesFolder}/${name}/collection.json`, collection)];
    },
  );
  return [...perItem, ...perCollection, jsonEntry(localCatalogPath, catalog)];
}

function describeCollections({ refs }: GatheredContent, library: Library) {
  const ids = new Set(refs.map(({ collectionId }) => collectionId));
  const kept = library.collections();
  return {
    fetchedAtMs: kept?.fetchedAtMs ?? null,
    collections: (kept?.value ?? []).filter(({ id }) => ids.has(id)),
    queryables: [...ids].flatMap((collectionId) => {
      const answer = library.queryables([collectionId]);
      return answer ? [{ collectionId, answer: answer.value, fetchedAtMs: answer.fetchedAtMs }] : [];
    }),
  };
}

function describeSearch(
  { past, leftOutCount, refs }: GatheredContent['searches'][number],
  { saved, library }: EntryParts,
) {
  const file = describeFile(past, refs, library);
  const { query, localFilter, matched, fetchedAtMs } = past;
  const isComplete = past.isComplete && past.evictedCount === 0;
  const key = toQueryKey(query);
  const named = saved.find(
    ({ question }) =>
      toQueryKey(question.query) === key &&
      JSON.stringify(question.localFilter) === JSON.stringify(localFilter),
  );
  const items = refs.map(toPair);
  return {
    query,
    localFilter,
    leftOutCount,
    matched,
    isComplete,
    fetchedAtMs,
    // No question leads to a file.
    savedAs: file === null ? (named?.name ?? null) : null,
    items,
    file,
  };
}

function describeFile({ searchNumber }: PastSearch, refs: readonly ItemRef[], { imports }: Library) {
  const origin = imports.ofSearch(searchNumber);
  if (!origin) return null;
  const { fileName: name, format, importedAtMs } = origin;
  const isOfIt = (ref: ItemRef): boolean => {
    const other = imports.ofItem(ref);
    return other?.fileName === name && other.importedAtMs === importedAtMs;
  };
  const places = refs.flatMap((ref, place) => (isOfIt(ref) ? [place] : []));
  return { name, format, importedAtMs, places };
}

function* eachItem<Value>(
  refs: readonly ItemRef[],
  library: Library,
  read: (kept: NonNullable<ReturnType<Library['item']>>) => Value,
): Generator<Value> {
  for (const ref of refs) {
    const kept = library.item(ref);
    // Without it the lists would no longer go together.
    if (!kept) throw new Error(`Item ${ref.itemId} went away while it was packed`);
    yield read(kept);
  }
}

// Some servers leave it out, and a line has nothing else that says it.
function withCollection({ ref, item }: IdentifiedItem): StacItem {
  return item['collection'] === ref.collectionId ? item : { ...item, collection: ref.collectionId };
}

function toPair({ collectionId, itemId }: ItemRef): [string, string] {
  return [collectionId, itemId];
}

function toThumbnailPath(index: number): string {
  return `${thumbnailFolder}/${String(index + 1)}`;
}
