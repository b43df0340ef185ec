import { z } from 'zod';
import { verificationSchema } from '#shared/transfer/transfer.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { readJson } from './write-json.ts';

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

/** The well-formed entries of a receipt; none when there is no receipt. */
export async function readReceipt(path: string, disk: Disk = systemDisk): Promise<ReceiptEntry[]> {
  const receipt = await readJson(path, disk);
  if (!Array.isArray(receipt)) return [];
  return receipt.flatMap((entry: unknown) => {
    const parsed = receiptEntrySchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** A receipt with one more entry, in place of an older one about the same file. */
export function addToReceipt(entries: readonly ReceiptEntry[], entry: ReceiptEntry): ReceiptEntry[] {
  return [...entries.filter(({ file }) => file !== entry.file), entry];
}
