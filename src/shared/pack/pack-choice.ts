import { z } from 'zod';

/** What of a library goes into a field pack. */
export const packChoiceSchema = z.object({
  /** Searches that were made, each with all its items. */
  searchNumbers: z.array(z.number().int()).max(500),
  /** Items beside those. */
  refs: z
    .array(z.object({ collectionId: z.string().min(1).max(4096), itemId: z.string().min(1).max(4096) }))
    .max(50_000),
  withThumbnails: z.boolean(),
  /** Whether the files that were downloaded go along. */
  withFiles: z.boolean(),
});

/** What of a library goes into a field pack. */
export type PackChoice = z.infer<typeof packChoiceSchema>;

/** How much is in a pack, or would be. */
export const packCountsSchema = z.object({
  items: z.number().int().min(0),
  searches: z.number().int().min(0),
  thumbnails: z.number().int().min(0),
  files: z.number().int().min(0),
  collections: z.number().int().min(0),
});

/** How much is in a pack. */
export type PackCounts = z.infer<typeof packCountsSchema>;

/** What a pack says of itself. */
export interface PackSummary {
  name: string;
  /** The catalog that its items are from. */
  catalogName: string;
  catalogUrl: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  swathVersion: string;
  counts: PackCounts;
  /** Of the downloaded files in it. */
  filesBytes: number;
  /** Of the pack itself. */
  packBytes: number;
}

/** What came of taking a pack in. Items that were here already in a newer state count as kept. */
export interface PackOutcome {
  itemsTaken: number;
  itemsKept: number;
  searchesTaken: number;
  thumbnailsTaken: number;
  filesTaken: number;
  /** Already there, byte for byte. */
  filesKept: number;
}
