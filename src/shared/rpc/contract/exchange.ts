import { z } from 'zod';
import { exportFormats, exportOptionsSchema } from '../../exchange/export-format.ts';
import { command, query, stream } from '../define-contract.ts';
import { itemRef, maxPathLength, nothing } from './common.ts';

/** The most rows of an answer that go into one file. */
export const maxExportedRows = 1_000_000;
/** The most picked Items that go into one file: their names travel with the call. */
export const maxExportedRefs = 100_000;
/** Characters of one piece of a file on its way to the program. */
export const maxPieceLength = 4_000_000;

/** Items to be written. */
const exportSource = z.discriminatedUnion('kind', [
  /** Rows of an open search by their places among all rows given, in the order in which they are to be written. */
  z.object({
    kind: z.literal('answer'),
    searchId: z.string(),
    places: z.array(z.number().int().min(0)).max(maxExportedRows),
  }),
  z.object({ kind: z.literal('items'), refs: z.array(itemRef).max(maxExportedRefs) }),
  /** What a past search brought. */
  z.object({ kind: z.literal('past'), searchNumber: z.number().int() }),
  /** All that the library has of a collection, or at all. */
  z.object({ kind: z.literal('collection'), collectionId: z.string() }),
  z.object({ kind: z.literal('library') }),
]);

/** Items to be written. */
export type ExportSource = z.infer<typeof exportSource>;

const exportedFile = z.object({
  /** Names the file for `showFile`, as long as the program runs. */
  exportId: z.string(),
  path: z.string(),
  itemCount: z.number().int(),
  sizeBytes: z.number().int(),
  /** Items that neither the library nor the catalog could give. */
  missingCount: z.number().int(),
  /** Items of which only what a search asked for is known. */
  partialCount: z.number().int(),
});

/** What came of a file. */
const importedFile = z.object({
  /** The past search under which its items are found again. */
  searchNumber: z.number().int(),
  fileName: z.string(),
  format: z.enum(exportFormats),
  /** When a catalog gave the items, RFC 3339, as far as the file says. */
  asOf: z.string(),
  itemCount: z.number().int(),
  takenCount: z.number().int(),
  /** Items that are in the library, as fresh or with more to them; they stayed as they were. */
  keptCount: z.number().int(),
  /** Collections of the items that the catalog in use doesn't list, the first of them; none where its list isn't known. */
  unknownCollections: z.array(z.string()),
});

/** Items as files, out and in. */
export const exchangeContract = {
  /** What a file would hold, judged by the first items. */
  estimate: query({
    input: z.object({ source: exportSource }),
    output: z.object({
      /** Null when counting them would take long. */
      itemCount: z.number().int().nullable(),
      /** Of one item, in each form. */
      bytesPerItem: z.record(z.enum(exportFormats), z.number()),
      /** The properties of the first items; nested ones are written only where they are chosen. */
      properties: z.array(z.object({ name: z.string(), isNested: z.boolean() })),
    }),
    errors: ['saved.not-found'],
  }),
  /** Writes a file. Ending the subscription before it is done leaves nothing of it. */
  export: stream({
    input: z.object({
      source: exportSource,
      options: exportOptionsSchema,
      destination: z.string().min(1).max(maxPathLength),
      fileName: z.string().min(1).max(200),
      canReplace: z.boolean(),
      /** When the catalog gave the items, RFC 3339; null when that isn't one moment. */
      asOf: z.string().nullable(),
    }),
    event: z.object({
      gatheredCount: z.number().int(),
      writtenCount: z.number().int(),
      /** Once it is done. */
      file: exportedFile.nullable(),
    }),
    errors: [
      'saved.not-found',
      'exchange.file-exists',
      'exchange.nothing',
      'exchange.too-large',
      'transfer.disk-full',
      'transfer.destination-missing',
      'transfer.destination-not-writable',
      'transfer.disk-error',
    ],
  }),
  /** Shows a written file in the system's file manager. */
  showFile: command({
    input: z.object({ exportId: z.string() }),
    output: nothing,
    errors: ['host.unsupported', 'transfer.not-found'],
  }),
  /** Begins to hand a file over, piece by piece. */
  beginImport: command({
    input: z.object({
      /** Its name without a path. */
      name: z.string().min(1).max(1000),
      sizeBytes: z.number().int().min(0),
      /** RFC 3339; null when it isn't known. */
      modifiedAt: z.string().nullable(),
    }),
    output: z.object({ importId: z.string() }),
    errors: ['exchange.too-large', 'transfer.disk-full', 'transfer.disk-error'],
  }),
  addToImport: command({
    input: z.object({ importId: z.string(), content: z.base64().max(maxPieceLength) }),
    output: nothing,
    errors: ['exchange.too-large', 'transfer.disk-full', 'transfer.disk-error'],
  }),
  /**
   * Reads the file that was handed over, and keeps its items in the library of the catalog in use once all of it was
   * found good. Ending the subscription gives the file up.
   */
  import: stream({
    input: z.object({ importId: z.string() }),
    event: z.object({
      checkedCount: z.number().int(),
      keptCount: z.number().int(),
      /** Once it is done. */
      file: importedFile.nullable(),
    }),
    errors: ['exchange.unreadable', 'exchange.too-large', 'transfer.disk-full', 'transfer.disk-error'],
  }),
};
