import { basename, dirname, join, relative } from 'node:path';
import { toAppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import type { Logger } from '../../ports.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { toDiskError } from '../file/disk-error.ts';
import {
  addLinks,
  hrefsOf,
  newLocalCatalog,
  titleOf,
  toLocalCollection,
  toLocalItem,
  type LocalItem,
} from './local-catalog.ts';
import { aloneInFolder } from './folder-claim.ts';
import { collectionFolderOf, createFolderLinks, type FolderLinks } from './folder-links.ts';
import { sidecarNames } from './output-layout.ts';
import { addToReceipt, nameAside, openReceipt, type ReceiptEntry } from './receipt.ts';
import type { SerialTasks } from '../tasks/serial-tasks.ts';
import { systemTimers } from '../tasks/timers.ts';
import { readJson, writeJson } from '../file/write-json.ts';

/** A published file, and where it belongs in the static catalog. */
export interface PublishedFile {
  filePath: string;
  ref: ItemRef;
  item: StacItem;
  entry: ReceiptEntry;
  loadCollection: (collectionId: string) => Promise<StacCollection>;
  tasks: SerialTasks;
  logger: Logger;
  disk?: Disk;
  /** Shared by all that write into the same folders; else each link is written at once. */
  links?: FolderLinks;
}

/**
 * Writes receipt, Item, Collection and Catalog around published files of one folder (design §11), from the files upwards, so
 * that no link ever leads to nothing. `replaced` is what `findReplaced` found, before anybody is kept waiting by the
 * folder's claim.
 * @throws AppError `transfer.*`
 */
export async function writeSidecars(
  files: readonly PublishedFile[],
  replaced: readonly ReceiptEntry[],
): Promise<void> {
  const [file] = files;
  if (file === undefined) return;
  const { tasks, logger, disk = systemDisk } = file;
  const itemFolder = dirname(file.filePath);
  const collectionFolder = collectionFolderOf(itemFolder);
  const root = dirname(collectionFolder);
  const itemHref = `./${toHref(relative(collectionFolder, itemFolder))}/${sidecarNames.item}`;
  const links = file.links ?? createFolderLinks({ disk, tasks, timers: systemTimers, logger });
  try {
    await tasks.run(itemFolder, () =>
      aloneInFolder(itemFolder, disk, () => writeItem(itemFolder, { files, replaced, disk })),
    );
    await links.add({
      collectionFolder,
      collectionId: file.ref.collectionId,
      itemHref,
      itemId: file.ref.itemId,
      makeCollection: async () => toLocalCollection(await loadOrNull(file), file.ref, file.item),
    });
    if (file.links === undefined) await links.flush();
    const addToRoot = () => addCollection(root, basename(collectionFolder), file);
    await tasks.run(root, () => aloneInFolder(root, disk, addToRoot));
  } catch (error) {
    throw toDiskError(error, itemFolder);
  }
}

function toHref(path: string): string {
  return path.split(/[/\\]/).join('/');
}

interface ItemChange {
  files: readonly PublishedFile[];
  replaced: readonly ReceiptEntry[];
  disk: Disk;
}

async function writeItem(folder: string, { files, replaced, disk }: ItemChange): Promise<void> {
  const last = files.at(-1);
  if (last === undefined) return;
  const { item, ref } = last;
  const receiptPath = join(folder, sidecarNames.receipt);
  const itemPath = join(folder, sidecarNames.item);
  const { entries: before, isDamaged } = await openReceipt(receiptPath, disk);
  const known = await readJson(itemPath, disk);
  const isOwn = isJsonObject(known) && known['id'] === ref.itemId;
  // What can't be read of it may be read by a person; and a person's own file is never written over.
  if (isDamaged) await disk.rename(receiptPath, nameAside(folder, 'receipt'));
  if (known !== undefined && !isOwn) await disk.rename(itemPath, nameAside(folder, 'item'));
  const isReplaced = new Set(replaced.map(toKey));
  const receipt = files.reduce(
    (entries, { entry }) => addToReceipt(entries, entry),
    before.filter((entry) => !isReplaced.has(toKey(entry))),
  );
  await writeJson(receiptPath, receipt, disk);
  const local = toLocalItem(item, ref, new Map(receipt.map((entry) => [entry.asset, entry])));
  const gone = new Set(replaced.map(({ file }) => `./${file}`));
  await writeJson(itemPath, isOwn ? withLocalAssets(local, known, gone) : local, disk);
}

// The Item may have lost an asset whose file is here, and a person may have added one.
function withLocalAssets(item: LocalItem, known: JsonObject, gone: ReadonlySet<unknown>): JsonObject {
  const { assets } = item;
  const before = isJsonObject(known['assets']) ? Object.entries(known['assets']) : [];
  const local = before.filter(([key, asset]) => {
    const href = isJsonObject(asset) ? asset['href'] : null;
    return (
      typeof href === 'string' && href.startsWith('./') && !gone.has(href) && !Object.hasOwn(assets, key)
    );
  });
  return { ...item, assets: { ...assets, ...Object.fromEntries(local) } };
}

// Somebody may have brought the file again meanwhile.
function toKey({ file, checksum, finished }: ReceiptEntry): string {
  return [file, checksum, finished].join('\n');
}

async function addCollection(
  root: string,
  folder: string,
  { ref, logger, disk = systemDisk }: PublishedFile,
): Promise<void> {
  const path = join(root, 'catalog.json');
  const current = await readJson(path, disk);
  const catalog = current === undefined ? newLocalCatalog() : current;
  if (!isJsonObject(catalog) || catalog['id'] !== newLocalCatalog()['id']) {
    // A file of somebody else's is never changed, not even to make the catalog whole.
    logger.warn('download.foreign-sidecar', { path });
    return;
  }
  const href = `./${folder}/collection.json`;
  if (hrefsOf(catalog, 'child').has(href)) return;
  const collection = await readJson(join(root, folder, 'collection.json'), disk);
  const title = titleOf(isJsonObject(collection) ? collection : {}, ref);
  await writeJson(path, addLinks(catalog, 'child', [{ href, title }]), disk);
}

// Without the catalog's own description the file is still worth having.
async function loadOrNull({ loadCollection, ref, logger }: PublishedFile): Promise<StacCollection | null> {
  try {
    return withoutSignedLinks(await loadCollection(ref.collectionId));
  } catch (error) {
    logger.warn('download.no-collection', { collectionId: ref.collectionId, reason: toAppError(error).code });
    return null;
  }
}
