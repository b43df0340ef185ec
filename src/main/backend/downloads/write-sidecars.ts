import { basename, dirname, join } from 'node:path';
import { toAppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import type { Logger } from '../ports.ts';
import { toDiskError } from './disk-error.ts';
import { newLocalCatalog, toLocalCollection, toLocalItem, withLink } from './local-catalog.ts';
import { sidecarNames } from './output-layout.ts';
import { addToReceipt, readReceipt, type ReceiptEntry } from './receipt.ts';
import type { SerialTasks } from './serial-tasks.ts';
import { readJson, writeJson } from './write-json.ts';

/** A published file, and where it belongs in the static catalog. */
export interface PublishedFile {
  filePath: string;
  ref: ItemRef;
  item: StacItem;
  entry: ReceiptEntry;
  loadCollection: (collectionId: string) => Promise<StacCollection>;
  tasks: SerialTasks;
  logger: Logger;
}

/**
 * Writes receipt, Item, Collection and Catalog around a published file (design §11), from the file upwards, so that no
 * link ever leads to nothing.
 * @throws AppError `transfer.*`
 */
export async function writeSidecars(file: PublishedFile): Promise<void> {
  const itemFolder = dirname(file.filePath);
  const yearFolder = dirname(itemFolder);
  const collectionFolder = dirname(yearFolder);
  const root = dirname(collectionFolder);
  const itemHref = `./${basename(yearFolder)}/${basename(itemFolder)}/${sidecarNames.item}`;
  const collectionHref = `./${basename(collectionFolder)}/collection.json`;
  try {
    await file.tasks.run(itemFolder, () => writeItem(itemFolder, file));
    await file.tasks.run(collectionFolder, () => addItem(collectionFolder, itemHref, file));
    await file.tasks.run(root, () => addCollection(root, collectionHref, file.logger));
  } catch (error) {
    throw toDiskError(error, itemFolder);
  }
}

async function writeItem(folder: string, { item, ref, entry }: PublishedFile): Promise<void> {
  const receiptPath = join(folder, sidecarNames.receipt);
  const receipt = addToReceipt(await readReceipt(receiptPath), entry);
  await writeJson(receiptPath, receipt);
  const fileNames = new Map(receipt.map(({ asset, file }) => [asset, file]));
  await writeJson(join(folder, sidecarNames.item), toLocalItem(item, ref, fileNames));
}

async function addItem(folder: string, itemHref: string, file: PublishedFile): Promise<void> {
  const path = join(folder, 'collection.json');
  const current = await readJson(path);
  const isOurs = isJsonObject(current) && current['id'] === file.ref.collectionId;
  if (current !== undefined && !isOurs) {
    leave(path, file.logger);
    return;
  }
  const collection = isOurs ? current : toLocalCollection(await loadOrNull(file), file.ref, file.item);
  const linked = withLink(collection, 'item', itemHref);
  if (linked !== null) await writeJson(path, linked);
}

async function addCollection(root: string, collectionHref: string, logger: Logger): Promise<void> {
  const path = join(root, 'catalog.json');
  const current = await readJson(path);
  const catalog = current === undefined ? newLocalCatalog() : current;
  if (!isJsonObject(catalog) || catalog['id'] !== newLocalCatalog()['id']) {
    leave(path, logger);
    return;
  }
  const linked = withLink(catalog, 'child', collectionHref);
  if (linked !== null) await writeJson(path, linked);
}

// A file of somebody else's is never changed, not even to make the catalog whole.
function leave(path: string, logger: Logger): void {
  logger.warn('download.foreign-sidecar', { path });
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
