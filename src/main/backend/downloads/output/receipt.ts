import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { findAsset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { verificationSchema } from '#shared/transfer/transfer.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { withoutQuery } from './local-catalog.ts';
import { readJson } from '../file/write-json.ts';

/** One file of a receipt. */
export const receiptEntrySchema = z.object({
  asset: z.string(),
  /** Name of the file in the receipt's folder. */
  file: z.string(),
  /** Where it came from, without query string. */
  source: z.string(),
  bytes: z.number().int(),
  /** SHA-256 of what arrived, as a multihash in hex; of older versions the announced one where it was verified. */
  checksum: z.string(),
  /** The catalog's `file:checksum` that the file was proved by, where it is of another kind. */
  announced: z.string().optional(),
  verification: verificationSchema,
  isVerified: z.boolean(),
  etag: z.string().nullable(),
  /** RFC 3339, UTC. */
  started: z.string(),
  finished: z.string(),
  swathVersion: z.string(),
});

/** What is known about one file that was brought home. */
export type ReceiptEntry = z.infer<typeof receiptEntrySchema>;

/** What stands in a receipt. */
export interface Receipt {
  /** Those that are well-formed. */
  entries: ReceiptEntry[];
  /** Whether something else stands in it, too. */
  isDamaged: boolean;
}

/** Reads a receipt; where there is none, it has no entries and no damage. Throws the file system's errors. */
export async function openReceipt(path: string, disk: Disk = systemDisk): Promise<Receipt> {
  const receipt = await readJson(path, disk);
  if (!Array.isArray(receipt)) return { entries: [], isDamaged: receipt !== undefined };
  const entries = receipt.flatMap((entry: unknown) => {
    const parsed = receiptEntrySchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  return { entries, isDamaged: entries.length < receipt.length };
}

/** The well-formed entries of a receipt; none when there is no receipt. */
export async function readReceipt(path: string, disk: Disk = systemDisk): Promise<ReceiptEntry[]> {
  return (await openReceipt(path, disk)).entries;
}

/** What a receipt tells as the source of an asset: where the Item has it, without the query string. */
export function sourceOf(item: StacItem, assetKey: string): string {
  return withoutQuery(findAsset(item, assetKey)?.href ?? '');
}

/** What a receipt says of the file of an asset beside it. */
export function findEntry(
  entries: readonly ReceiptEntry[],
  { assetKey, filePath }: { assetKey: string; filePath: string },
): ReceiptEntry | undefined {
  return entries.find(({ asset, file }) => asset === assetKey && file === basename(filePath));
}

/** A name that what is no receipt, or no Item, gets, to be kept beside the one that takes its place. */
export function nameAside(folder: string, name: 'receipt' | 'item'): string {
  return join(folder, `${name}.damaged-${randomUUID().slice(0, 8)}.json`);
}

/** A receipt with one more entry, in place of an older one about the same file. */
export function addToReceipt(entries: readonly ReceiptEntry[], entry: ReceiptEntry): ReceiptEntry[] {
  return [...entries.filter(({ file }) => file !== entry.file), entry];
}
