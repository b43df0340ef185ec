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
  /** A basemap from a file, of which the items' area goes along; null for none. */
  basemapId: z.string().max(64).nullable(),
});

/** What of a library goes into a field pack. */
export type PackChoice = z.infer<typeof packChoiceSchema>;

const count = z.number().int().min(0);

/** How much is in a pack, or would be. */
export const packCountsSchema = z.object({
  items: count,
  searches: count,
  thumbnails: count,
  files: count,
  collections: count,
  /** Its one map, where it has one. */
  basemaps: count.max(1),
});

/** How much is in a pack. */
export type PackCounts = z.infer<typeof packCountsSchema>;

/** What a choice comes to. */
export const packPlanSchema = z.object({
  counts: packCountsSchema,
  /** About how large the pack will be. */
  sizeBytes: count,
  /** How close the map goes, and about how large it is; null for none, also where the basemap has nothing of the area. */
  basemap: z.object({ maxZoom: count, sizeBytes: count }).nullable(),
});

/** What a pack says of itself. */
export const packSummarySchema = z.object({
  name: z.string(),
  /** The catalog that its items are from. */
  catalogName: z.string(),
  catalogUrl: z.string().nullable(),
  /** RFC 3339, UTC. */
  createdAt: z.string(),
  swathVersion: z.string(),
  counts: packCountsSchema,
  /** Of the downloaded files in it. */
  filesBytes: count,
  /** Of the pack itself. */
  packBytes: count,
});

/** What a pack says of itself. */
export type PackSummary = z.infer<typeof packSummarySchema>;

/**
 * Where the taking in of a pack is. Stopped before files are placed, nothing has changed; stopped then, those that are placed
 * stay, and the library has all the rest.
 */
export const packStageSchema = z.enum(['checking', 'taking-in', 'placing']);

/** Where the taking in of a pack is. */
export type PackStage = z.infer<typeof packStageSchema>;

/** What came of taking a pack in. Items that were here already in a newer state count as kept. */
export const packOutcomeSchema = z.object({
  itemsTaken: count,
  itemsKept: count,
  searchesTaken: count,
  thumbnailsTaken: count,
  filesTaken: count,
  /** Already there, byte for byte. */
  filesKept: count,
  basemapsTaken: count,
});

/** What came of taking a pack in. */
export type PackOutcome = z.infer<typeof packOutcomeSchema>;
