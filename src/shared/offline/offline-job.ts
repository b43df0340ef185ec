import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { questionOutlineSchema } from '../search/question-outline.ts';
import { assetRuleSchema } from '../selection/asset-rule.ts';
import { linkModeSchema } from '../transfer/transfer.ts';

/** What is fetched of each Item beside the Item itself. */
export const offlineChoiceSchema = z.object({
  hasPictures: z.boolean(),
  /** Assets to download, and into which folder; null for none. */
  assets: z
    .object({
      rule: assetRuleSchema,
      destination: z.string().min(1).max(32_767),
      links: linkModeSchema,
    })
    .nullable(),
});

/** What is fetched of each Item beside the Item itself. */
export type OfflineChoice = z.infer<typeof offlineChoiceSchema>;

/**
 * `queued` waits for its turn, `waiting` for the network. `cancelled` and `failed` can be gone on with, as `paused` can;
 * what they brought stays.
 */
export const offlineJobStates = [
  'queued',
  'running',
  'waiting',
  'paused',
  'cancelled',
  'failed',
  'done',
] as const;

/** One of the states of a job. */
export type OfflineJobState = (typeof offlineJobStates)[number];

/** What a job is at: first all Items, then their pictures, then their files are queued. */
export const offlineStageSchema = z.enum(['items', 'pictures', 'files', 'end']);

/** What a job is at. */
export type OfflineStage = z.infer<typeof offlineStageSchema>;

const count = z.number().int().min(0);

/** How far a job has come. */
export const offlineCountsSchema = z.object({
  itemCount: count,
  /** The catalog's own total; null where it didn't say. */
  matched: count.nullable(),
  /** Items that could not be read or kept. */
  missedCount: count,
  pictureCount: count,
  pictureTotal: count,
  pictureFailedCount: count,
  /** Files put into the download queue, and Items whose files could not be. */
  fileCount: count,
  fileFailedCount: count,
  /** Items whose files are not queued yet. */
  fileItemsLeft: count,
  /** Bytes of Items, as JSON, and of pictures that came. */
  receivedBytes: count,
});

/** A job as the window sees it. */
const offlineJobSchema = offlineCountsSchema.extend({
  jobId: z.number().int(),
  name: z.string(),
  outline: questionOutlineSchema,
  hasPictures: z.boolean(),
  /** Where chosen assets go; null where none were chosen. */
  destination: z.string().nullable(),
  state: z.enum(offlineJobStates),
  stage: offlineStageSchema,
  /** Why it waits or has failed. */
  error: errorDataSchema.nullable(),
  /** Averaged over some seconds; 0 while nothing comes. */
  bytesPerSecond: z.number(),
  /** By the rate of the last seconds; null where nothing tells. Without the files, which the download queue brings. */
  leftMs: z.number().nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** Its record among the past searches; null before the first page. */
  searchNumber: z.number().int().nullable(),
});

/** A job as the window sees it. */
export type OfflineJob = z.infer<typeof offlineJobSchema>;

/** A job with what became of that which it brought. */
export const takenJobSchema = offlineJobSchema.extend({
  /** Items of its record that were evicted since. */
  evictedCount: count,
});

/** A job with what became of that which it brought. */
export type TakenJob = z.infer<typeof takenJobSchema>;

/** Whether a job is under way: it goes on by itself. */
export function isUnderWay({ state }: Pick<OfflineJob, 'state'>): boolean {
  return state === 'queued' || state === 'running' || state === 'waiting';
}
