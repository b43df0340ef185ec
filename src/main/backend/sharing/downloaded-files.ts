import { lstat, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { foldersOf, sidecarNames } from '../downloads/output/output-layout.ts';
import { readReceipt, type ReceiptEntry } from '../downloads/output/receipt.ts';
import { numberName } from '../downloads/output/safe-names.ts';
import { readJson } from '../downloads/file/write-json.ts';

/** A file that was brought home and is still as it came. */
export interface DownloadedFile {
  assetKey: string;
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
  receipt: ReceiptEntry;
}

// Two ids may make one name on some file system; then the later folder has a number.
const mostCopies = 3;

// FAT keeps times to two seconds.
const clockSlackMs = 2000;

/**
 * The files of an Item that are on disk now, by the receipts beside them (design §11). A file that has another size
 * than its receipt says, or was written to after it was received, is not among them; nor is one that a link leads to.
 */
export async function findDownloadedFiles(
  one: IdentifiedItem,
  destinations: readonly string[],
): Promise<Map<string, DownloadedFile>> {
  const found = new Map<string, DownloadedFile>();
  for (const destination of destinations) {
    for (const file of await filesIn(destination, one)) {
      if (!found.has(file.assetKey)) found.set(file.assetKey, file);
    }
  }
  return found;
}

async function filesIn(destination: string, one: IdentifiedItem): Promise<DownloadedFile[]> {
  const folder = await findItemFolder(destination, one);
  if (folder === null) return [];
  const entries = await readReceipt(join(folder, sidecarNames.receipt)).catch(() => []);
  const files = await Promise.all(entries.map((entry) => readFile(folder, entry)));
  return files.flatMap((file) => file ?? []);
}

/** The folder that says of itself that it is this Item's. */
async function findItemFolder(destination: string, { ref, item }: IdentifiedItem): Promise<string | null> {
  const names = foldersOf(ref, item);
  for (let copy = 1; copy <= mostCopies; copy += 1) {
    const year = join(destination, numberName(names.collection, copy), names.year);
    if (!(await lstat(year).catch(() => null))?.isDirectory()) continue;
    for (let itemCopy = 1; itemCopy <= mostCopies; itemCopy += 1) {
      const folder = join(year, numberName(names.item, itemCopy));
      const sidecar = await readJson(join(folder, sidecarNames.item)).catch(() => undefined);
      // That of the name itself may be missing: another Item has it but for its case.
      const isOwn =
        isJsonObject(sidecar) && sidecar['id'] === ref.itemId && sidecar['collection'] === ref.collectionId;
      if (isOwn && (await isInside(destination, folder))) return folder;
    }
  }
  return null;
}

async function readFile(folder: string, receipt: ReceiptEntry): Promise<DownloadedFile | null> {
  const { file, asset: assetKey } = receipt;
  // A receipt is a file that anybody may have written.
  if (file !== basename(file) || file === '' || file === '.' || file === '..') return null;
  const path = join(folder, file);
  try {
    const stats = await lstat(path);
    const { size: sizeBytes, mtimeMs: modifiedAtMs } = stats;
    const isUnchanged =
      sizeBytes === receipt.bytes && modifiedAtMs <= Date.parse(receipt.finished) + clockSlackMs;
    return stats.isFile() && isUnchanged ? { assetKey, path, sizeBytes, modifiedAtMs, receipt } : null;
  } catch {
    return null;
  }
}

async function isInside(destination: string, folder: string): Promise<boolean> {
  try {
    const inside = relative(await realpath(destination), await realpath(folder));
    return inside !== '' && !isAbsolute(inside) && !inside.startsWith('..');
  } catch {
    return false;
  }
}
