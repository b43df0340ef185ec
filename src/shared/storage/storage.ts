import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { libraryLimitsSchema } from '../settings/settings.ts';

const moment = z.number().int();
const size = z.number().int().min(0);

/** What can be done with the libraries. */
const storageTaskKindSchema = z.enum(['verify', 'compact', 'evict', 'back-up', 'restore', 'move', 'rebuild']);

const folder = z.string().min(1).max(4096);
const connectionId = z.string().min(1).max(200);

/** Something to be done, with what it needs. */
export const storageTaskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verify'), connectionId, isThorough: z.boolean() }),
  z.object({ kind: z.literal('compact'), connectionId }),
  /** Brings the libraries within their limits now. */
  z.object({ kind: z.literal('evict') }),
  /** Of all libraries and the notebook, into a dated folder within this one. */
  z.object({ kind: z.literal('back-up'), folder }),
  /** From the dated folder of a backup: the libraries named, or all that are in it, and its notebook. */
  z.object({
    kind: z.literal('restore'),
    folder,
    connectionIds: z.array(connectionId).max(1000).nullable(),
    withNotebook: z.boolean(),
  }),
  /** Null: back to Swath's own folder. `isLeavingBehind`: the present folder isn't there, and is forgotten. */
  z.object({
    kind: z.literal('move'),
    folder: folder.nullable(),
    isLeavingBehind: z.boolean().optional(),
  }),
  /** Puts a library aside and fills a new one with what can be read of it. */
  z.object({ kind: z.literal('rebuild'), connectionId }),
]);

/** Something to be done with the libraries. */
export type StorageTask = z.infer<typeof storageTaskSchema>;

/** What became of a damaged library. */
export const recoverySchema = z.object({
  damagedPath: z.string(),
  atMs: moment,
  /** From 0 to 1, when it is over. */
  fraction: z.number(),
  counts: z.object({ items: size, collections: size, thumbnails: size, searches: size }),
  lostItemCount: size,
});

/** What came back of a notebook that was damaged: it was put aside, and a new one made. */
const notebookRecoverySchema = z.object({
  damagedPath: z.string(),
  atMs: moment,
  counts: z.object({
    searches: size,
    /** Those of them of which it is still known what was seen of their answers, though maybe not all. */
    looks: size,
    rules: size,
    jobs: size,
    areas: size,
    pins: size,
  }),
});

/** What came back of a damaged notebook. */
export type NotebookRecovery = z.infer<typeof notebookRecoverySchema>;

/** A library's file, whether it is in use or not. */
export const libraryFileSchema = z.object({
  connectionId: z.string(),
  /** The catalog's name; null for one that isn't set up any more. */
  name: z.string().nullable(),
  sizeBytes: size,
  /** Whether what comes is kept beyond this run. */
  isKept: z.boolean(),
  writeProblem: errorDataSchema.nullable(),
  recovery: recoverySchema.nullable(),
});

/** A library's file. */
export type LibraryFile = z.infer<typeof libraryFileSchema>;

/** A damaged or replaced file that was put aside, and stays until a person removes it. */
export const asideFileSchema = z.object({
  connectionId: z.string(),
  path: z.string(),
  state: z.enum(['recovering', 'damaged', 'replaced']),
  sizeBytes: size,
});

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** How the last thing ended. */
export const storageOutcomeSchema = z.object({
  kind: storageTaskKindSchema,
  /** Null where it was about all libraries. */
  connectionId: z.string().nullable(),
  atMs: moment,
  state: z.enum(['done', 'stopped', 'failed']),
  /** What a sentence about it may quote. */
  facts: z.record(z.string(), fact),
  error: errorDataSchema.nullable(),
  canUndo: z.boolean(),
});

/** How the last thing ended. */
export type StorageOutcome = z.infer<typeof storageOutcomeSchema>;

/** All that is quick to know about the libraries. */
export const storageStatusSchema = z.object({
  folder: z.string(),
  /** Whether the libraries lie with Swath's other files. */
  isOwnFolder: z.boolean(),
  /** Why nothing can be done with the libraries: their folder isn't there, or wasn't when they were opened. */
  folderProblem: errorDataSchema.nullable(),
  /** Space left on the folder's volume; null where the system doesn't tell. */
  freeBytes: size.nullable(),
  limits: libraryLimitsSchema,
  libraries: z.array(libraryFileSchema),
  notebookRecovery: notebookRecoverySchema.nullable(),
  aside: z.array(asideFileSchema),
  /** Files that were brought home. They are no part of the libraries, and never touched. */
  downloads: z.object({ count: size, sizeBytes: size }),
  running: z
    .object({
      kind: storageTaskKindSchema,
      connectionId: z.string().nullable(),
      /** Null where nobody can tell. */
      fraction: z.number().nullable(),
      canStop: z.boolean(),
      startedAtMs: moment,
    })
    .nullable(),
  outcome: storageOutcomeSchema.nullable(),
});

/** All that is quick to know about the libraries. */
export type StorageStatus = z.infer<typeof storageStatusSchema>;

/** What uses how much of one library. The sizes add up to its file's. */
export const libraryUsageSchema = z.object({
  connectionId: z.string(),
  itemCount: size,
  itemBytes: size,
  collections: z.array(z.object({ collectionId: z.string(), itemCount: size, sizeBytes: size })),
  thumbnailCount: size,
  thumbnailBytes: size,
  searchCount: size,
  searchBytes: size,
  /** Indexes, columns of properties, full text. */
  indexBytes: size,
  otherBytes: size,
  /** What compacting gives back. */
  freeBytes: size,
  oldestFetchedAtMs: moment.nullable(),
  newestFetchedAtMs: moment.nullable(),
  /** Items that are never evicted, and their share of the file. */
  pinnedCount: size,
  pinnedBytes: size,
  /** What was done to it, newest first. */
  records: z.array(z.object({ kind: z.string(), atMs: moment, facts: z.record(z.string(), z.unknown()) })),
});

/** What uses how much of one library. */
export type LibraryUsage = z.infer<typeof libraryUsageSchema>;

/** What limits would evict now. */
export const evictionPreviewSchema = z.object({
  usedBytes: size,
  itemCount: size,
  sizeBytes: size,
  /** Until when the evicted Items were fetched. */
  untilMs: moment.nullable(),
  pinnedCount: size,
  pinnedBytes: size,
  /** How much more than the limit stays all the same, because it is never evicted. */
  overLimitBytes: size,
  libraries: z.array(z.object({ connectionId: z.string(), itemCount: size, sizeBytes: size })),
});

/** What limits would evict now. */
export type EvictionPreview = z.infer<typeof evictionPreviewSchema>;

/** A backup that was looked at. */
export const backupSchema = z.object({
  folder: z.string(),
  createdAtMs: moment,
  libraries: z.array(
    z.object({ connectionId: z.string(), name: z.string(), itemCount: size, sizeBytes: size }),
  ),
  /** Whether saved searches, areas, rules and pins are in it. */
  hasNotebook: z.boolean(),
});

/** A backup that was looked at. */
export type Backup = z.infer<typeof backupSchema>;
