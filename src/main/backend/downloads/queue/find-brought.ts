import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { foldersOf, sidecarNames } from '../output/output-layout.ts';
import { findEntry, readReceipt, sourceOf, type ReceiptEntry } from '../output/receipt.ts';
import type { KnownTransfer, NewTransfer } from './order-store.ts';

/** A file that was brought before, and is still there. */
export interface Brought {
  sizeBytes: number;
}

/**
 * Looks whether a file of an Item was brought before: by the queue's own list, or, of what was cleared off it, by the receipt
 * in the Item's folder. The catalog may announce another file since; in doubt none is found, and a run finds the same
 * bytes without fetching them.
 */
export type FindBrought = (transfer: NewTransfer, known: readonly KnownTransfer[]) => Promise<Brought | null>;

/** Makes what looks for the files of one Item: of many files its receipt is read once. */
export function createBroughtFinder(destination: string, ref: ItemRef, item: StacItem): FindBrought {
  const names = foldersOf(ref, item);
  // Where two ids make one name, the second has a numbered folder, which is not looked at.
  const folder = join(destination, names.collection, names.year, names.item);
  const receipts = new Map<string, Promise<ReceiptEntry[]>>();

  function receiptOf(inFolder: string): Promise<ReceiptEntry[]> {
    const path = join(inFolder, sidecarNames.receipt);
    const receipt = receipts.get(path) ?? readReceipt(path).catch(() => []);
    receipts.set(path, receipt);
    return receipt;
  }

  async function isOfThat(
    { assetKey, announcedChecksum }: NewTransfer,
    { announcedChecksum: before, digest }: KnownTransfer,
    filePath: string,
  ): Promise<boolean> {
    if (announcedChecksum !== null) return [before, digest].includes(announcedChecksum);
    const entry = findEntry(await receiptOf(dirname(filePath)), { assetKey, filePath });
    return entry === undefined || entry.source === sourceOf(item, assetKey);
  }

  async function findKnown(transfer: NewTransfer, known: readonly KnownTransfer[]): Promise<Brought | null> {
    for (const one of known) {
      if (one.filePath === null || one.finding !== null) continue;
      const found = await findFile(one.filePath, transfer.announcedBytes ?? one.totalBytes);
      if (found !== null && (await isOfThat(transfer, one, one.filePath))) return found;
    }
    return null;
  }

  async function findNoted({ assetKey, ...announced }: NewTransfer): Promise<Brought | null> {
    const entry = (await receiptOf(folder)).findLast(({ asset }) => asset === assetKey);
    if (entry === undefined || entry.file !== basename(entry.file)) return null;
    const isSame =
      announced.announcedChecksum === null
        ? entry.source === sourceOf(item, assetKey)
        : [entry.checksum, entry.announced].includes(announced.announcedChecksum);
    if (!isSame || (announced.announcedBytes ?? entry.bytes) !== entry.bytes) return null;
    return findFile(join(folder, entry.file), entry.bytes);
  }

  // What the list knows goes before the receipt, which has not heard of a file that was found changed.
  return (transfer, known) => (known.length > 0 ? findKnown(transfer, known) : findNoted(transfer));
}

/** What is at a path, if it is a file of that size; null for a size: whatever it has. */
export async function findFile(path: string, sizeBytes: number | null): Promise<Brought | null> {
  const found = await stat(path).catch(() => null);
  const isThere = found?.isFile() === true && (sizeBytes === null || sizeBytes === found.size);
  return isThere ? { sizeBytes: found.size } : null;
}
