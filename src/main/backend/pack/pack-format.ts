import { z } from 'zod';
import { exportFormats } from '#shared/exchange/export-format.ts';
import { packCountsSchema } from '#shared/pack/pack-choice.ts';
import { localFilterSchema } from '#shared/search/local-filter.ts';
import { askableQuerySchema } from '#shared/search/search-query.ts';
import { receiptEntrySchema } from '../downloads/output/receipt.ts';

/** How the name of a field pack ends. */
export const packExtension = '.swathpack';

/** Raised when an older Swath could misread what is in it. */
export const packSchema = 1;

/** Names of the parts of a pack: JSON, one value a line where they end in `.ndjson`. */
export const packParts = {
  manifest: 'manifest.json',
  collections: 'collections.json',
  /** Items as STAC, and in the same order when each was fetched. */
  items: 'items.ndjson',
  fetched: 'fetched.ndjson',
  searches: 'searches.ndjson',
  thumbnails: 'thumbnails.ndjson',
  files: 'files.ndjson',
} as const;

/** An MBTiles file, in packs that have a map. */
export const basemapPart = 'basemap.mbtiles';

/** Folder of the pictures. */
export const thumbnailFolder = 'thumbnails';

/** Folder of the downloaded files: a static STAC catalog of its own (design §11). */
export const filesFolder = 'assets';

/** What a pack may hold at most; more is refused before anything of it is unpacked. */
export const packLimits = {
  entries: 400_000,
  items: 1_000_000,
  manifestBytes: 96 * 1024 * 1024,
  collectionsBytes: 64 * 1024 * 1024,
  /** Of all parts that are JSON lines together. */
  linesBytes: 16 * 1024 ** 3,
  lineBytes: 32 * 1024 * 1024,
  thumbnailBytes: 8 * 1024 * 1024,
  basemapBytes: 1.25 * 1024 ** 3,
  /** What is packed tighter than this in a large part is no JSON of ours. */
  packedRatio: 400,
} as const;

const when = z.number().int().min(0).max(8_640_000_000_000_000);
const ids = z.tuple([z.string().min(1), z.string().min(1)]);

export const manifestSchema = z.object({
  format: z.literal('swath-field-pack'),
  schema: z.number().int().min(1),
  name: z.string().max(200),
  catalog: z.object({ name: z.string().max(200), baseUrl: z.string().max(2000).nullable() }),
  createdAt: z.iso.datetime(),
  swathVersion: z.string().max(50),
  counts: packCountsSchema,
  /** Everything in the pack but the manifest. */
  entries: z
    .array(
      z.object({
        path: z.string().min(1).max(2000),
        bytes: z.number().int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(packLimits.entries),
});

export type PackManifest = z.infer<typeof manifestSchema>;

export const collectionsSchema = z.object({
  fetchedAtMs: when.nullable(),
  collections: z.array(z.record(z.string(), z.unknown())).max(20_000),
  queryables: z
    .array(
      z.object({ collectionId: z.string(), answer: z.record(z.string(), z.unknown()), fetchedAtMs: when }),
    )
    .max(20_000),
});

export const fetchedSchema = z.object({ fetchedAtMs: when, isPartial: z.boolean() });

export const searchLineSchema = z.object({
  // One that nobody can ask would stand in the way of whatever is asked later.
  query: askableQuerySchema,
  localFilter: localFilterSchema.nullable(),
  leftOutCount: z.number().int().min(0),
  matched: z.number().int().min(0).nullable(),
  isComplete: z.boolean(),
  fetchedAtMs: when,
  /** What it was saved as; null when it wasn't. */
  savedAs: z.string().max(120).nullable(),
  /** In its order. */
  items: z.array(ids),
  /** The file whose Items these are, where no catalog was asked; packs of before have none. */
  file: z
    .object({
      name: z.string().max(200),
      format: z.enum(exportFormats),
      importedAtMs: when,
      /** Places of the Items that no catalog has given since. */
      places: z.array(z.number().int().min(0)),
    })
    .nullable()
    .default(null),
});

export type SearchLine = z.infer<typeof searchLineSchema>;

export const thumbnailLineSchema = z.object({ item: ids, path: z.string(), fetchedAtMs: when });

export const fileLineSchema = z.object({ item: ids, path: z.string(), receipt: receiptEntrySchema });
