import { z } from 'zod';
import { verificationSchema } from './transfer.ts';

/** A file that was brought home, remembered after its transfer was taken off the list. */
export const historyEntrySchema = z.object({
  historyId: z.number().int(),
  /** The transfer, where it is still on the list; else null. */
  transferId: z.number().int().nullable(),
  downloadId: z.number().int(),
  title: z.string(),
  connectionId: z.string(),
  collectionId: z.string(),
  itemId: z.string(),
  assetKey: z.string(),
  filePath: z.string(),
  sizeBytes: z.number(),
  verification: verificationSchema,
  /** Multihash in hex. */
  digest: z.string().nullable(),
  /** RFC 3339. */
  finishedAt: z.string(),
});

/** A file that was brought home. */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Newest first. */
export const historyPageSchema = z.object({
  entries: z.array(historyEntrySchema),
  totalCount: z.number().int(),
});

/** A page of the history. */
export type HistoryPage = z.infer<typeof historyPageSchema>;

/** The file that was last brought of an asset. */
export const broughtFileSchema = historyEntrySchema
  .pick({ assetKey: true, filePath: true, sizeBytes: true, verification: true, finishedAt: true })
  /** Whether a file of that name and size is there now. */
  .extend({ isThere: z.boolean() });

/** The file that was last brought of an asset. */
export type BroughtFile = z.infer<typeof broughtFileSchema>;

/** The most Items that are asked about at once. */
export const maxAskedItems = 500;
