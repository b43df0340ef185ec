import type { ErrorData } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { FoldOptions } from '../columns/column-writer.ts';
import { shapesOf } from '../item-json.ts';
import type { PackedSlice } from '../packed-slice.ts';
import type { ImportedBatch, ImportOrigin } from '../import-store.ts';
import type { KeptPart, KeptSearch, RunRef, Thumbnail } from '../library.ts';
import { mergeText } from '../text/merge-text.ts';
import { indexTextBacklog } from '../text/text-backlog.ts';
import { compact } from '../upkeep/compact.ts';
import { evictItems, forgetSearches, type EvictionStep } from '../upkeep/evict-items.ts';
import { recordUpkeep, type UpkeepRecord } from '../upkeep/upkeep-record.ts';
import type { WorkWatch } from '../upkeep/work-watch.ts';
import { createWritingParts, type WritingParts } from './writing-parts.ts';

/**
 * What can be done in the writing thread, one after the other in the order it was asked for. A new task is a line here
 * and a function of `(parts, input, watch)` in a file of its own; input and output cross threads by structured clone. A
 * task that writes opens its own transaction; a promise is waited for before the next task begins.
 */
export const writingTasks = {
  /** What follows is written together, until it is committed or undone. */
  begin: (parts) => {
    parts.database.exec('BEGIN IMMEDIATE');
    parts.isTogether = true;
  },
  commit: (parts) => {
    parts.database.exec('COMMIT');
    parts.isTogether = false;
  },
  undo: (parts) => {
    if (parts.database.inTransaction) parts.database.exec('ROLLBACK');
    // What the stores remember of it isn't there any more.
    Object.assign(parts, createWritingParts(parts.database));
  },
  saveItems: ({ itemWriter }, slices: readonly PackedSlice[]) => itemWriter.write(slices),
  saveCollections: (
    { collections },
    input: { collections: readonly StacCollection[]; fetchedAtMs: number },
  ) => collections.saveAll(input.collections, input.fetchedAtMs),
  saveQueryables: (
    { collections },
    input: { collectionIds: readonly string[]; answer: JsonObject; fetchedAtMs: number },
  ) => collections.saveQueryables(input.collectionIds, input.answer, input.fetchedAtMs),
  saveSearch: ({ searches }, input: { search: KeptSearch; fetchedAtMs: number }) =>
    searches.save(input.search, input.fetchedAtMs),
  extendSearch: ({ searches }, input: { run: RunRef; page: KeptPart }) =>
    searches.extend(input.run, input.page),
  forgetSearch: ({ searches }, input: { searchNumber: number }) => searches.forget(input.searchNumber),
  takeSearchBack: ({ searches }, input: { searchNumber: number }) => searches.takeBack(input.searchNumber),
  markGone: ({ gone }, input: { refs: readonly ItemRef[]; atMs: number }) =>
    gone.mark(input.refs, input.atMs),
  saveThumbnail: ({ thumbnails }, input: { ref: ItemRef; thumbnail: Thumbnail; fetchedAtMs: number }) => {
    const { mediaType, bytes } = input.thumbnail;
    thumbnails.save(input.ref, { mediaType, bytes: Buffer.from(bytes) }, input.fetchedAtMs);
  },
  beginImport: ({ imports }, origin: ImportOrigin) => imports.begin(origin),
  noteImported: ({ imports }, batch: ImportedBatch) => imports.note(batch),
  evictItems: ({ database }, step: EvictionStep) => evictItems(database, step),
  forgetSearches: ({ database }, input: { beforeMs: number; keptQueryKeys: readonly string[] }) =>
    forgetSearches(database, input),
  recordUpkeep: ({ database }, record: UpkeepRecord) => recordUpkeep(database, record),
  compact: ({ database }, _input: undefined, watch) => compact(database, watch),
  /** Works for a while on the columns, and in pauses on the full-text index; whether nothing is left to do. */
  catchUp: ({ columns, database }, options: FoldOptions) =>
    columns.foldFor(options) && (options.wholeBlocksOnly || mergeText(database, options)),
  /** Makes some Items findable that an earlier version kept; whether none are left. */
  indexTextBacklog: ({ database }) => indexTextBacklog(database, shapesOf(database)),
  /** Brings the write-ahead log into the file. */
  checkpoint: ({ database }) => void database.pragma('wal_checkpoint(TRUNCATE)'),
} satisfies Record<string, WritingTask>;

/** Something that is done in the writing thread. */
export type WritingTask = (parts: WritingParts, input: never, watch: WorkWatch) => unknown;

/** The table of tasks. */
export type WritingTasks = typeof writingTasks;

/** What a task takes. */
export type TaskInput<Name extends keyof WritingTasks> =
  Parameters<WritingTasks[Name]> extends [WritingParts, infer Input, ...unknown[]] ? Input : undefined;

/** What a task gives. */
export type TaskOutput<Name extends keyof WritingTasks> = Awaited<ReturnType<WritingTasks[Name]>>;

/** A task on its way to the writing thread. */
export interface TaskOrder {
  number: number;
  name: keyof WritingTasks;
  input: unknown;
  /** One 32-bit number; not zero once nobody wants the task done any more. */
  stop: Int32Array | null;
}

/** What comes back: how far it is, from 0 to 1; its output, once it is committed; or why there is none. */
export type TaskReply = { number: number } & (
  { fraction: number } | { output: unknown } | { error: ErrorData }
);
