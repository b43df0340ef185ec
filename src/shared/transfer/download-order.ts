import { z } from 'zod';
import { s3AccessSchema } from '../connection/s3-access.ts';
import { errorDataSchema } from '../errors/app-error.ts';
import { linkModeSchema, transferPrioritySchema } from './transfer.ts';

/** The most files of one order. */
export const maxOrderedFiles = 10_000;

/** What an order was made from. */
export const orderOriginSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('item') }),
  z.object({ kind: z.literal('selection') }),
  /** What a search without a name brought, as far as it was shown. */
  z.object({ kind: z.literal('search'), itemCount: z.number().int() }),
  z.object({ kind: z.literal('saved-search'), name: z.string() }),
  z.object({ kind: z.literal('rule'), name: z.string() }),
  z.object({ kind: z.literal('offline') }),
  z.object({ kind: z.literal('pack') }),
  /** Found as part files after the queue's own file was lost. */
  z.object({ kind: z.literal('recovered') }),
]);

/** What an order was made from. */
export type OrderOrigin = z.infer<typeof orderOriginSchema>;

/** How an order is to be brought, beside what it is of. */
export const orderTermsSchema = z.object({
  links: linkModeSchema,
  /** Whether the user's own AWS credentials may be used for it; left out: as the connection says. */
  s3Access: s3AccessSchema.optional(),
  title: z.string().min(1).max(500),
  origin: orderOriginSchema,
  priority: transferPrioritySchema,
});

/** An order: what a person, or a rule of theirs, asked for at once. */
export const downloadOrderSchema = z.object({
  downloadId: z.number().int(),
  title: z.string(),
  origin: orderOriginSchema,
  connectionId: z.string(),
  destination: z.string(),
  links: linkModeSchema,
  /** Whether the user's own AWS credentials may be used for it; left out: as its connection says. */
  s3Access: s3AccessSchema.optional(),
  /** RFC 3339. */
  orderedAt: z.string(),
});

/** An order as the window and scripts see it. */
export type DownloadOrderView = z.infer<typeof downloadOrderSchema>;

/** A chosen asset, or a whole Item, that can't be ordered. */
export const orderProblemSchema = z.object({
  collectionId: z.string(),
  itemId: z.string(),
  /** Null where the Item itself can't be had. */
  assetKey: z.string().nullable(),
  error: errorDataSchema,
});

/** A chosen asset, or a whole Item, that can't be ordered. */
export type OrderProblem = z.infer<typeof orderProblemSchema>;

/** Problems that are told one by one; the others are counted. */
export const maxProblemsTold = 100;

/** What an order would bring, before it is given. */
export const orderPlanSchema = z.object({
  itemCount: z.number().int(),
  /** Files to be fetched: chosen, to be had, and not there yet; those that have failed before as well. */
  fileCount: z.number().int(),
  knownBytes: z.number(),
  /** How many of the files have no announced size. */
  unknownCount: z.number().int(),
  /** Chosen files that the queue brought into that folder before and that are still there. */
  thereCount: z.number().int(),
  thereBytes: z.number(),
  /** Chosen files that are on the list for that folder already, on their way or paused. */
  queuedCount: z.number().int(),
  problemCount: z.number().int(),
  /** The first of them. */
  problems: z.array(orderProblemSchema),
  /** Of the destination's volume; null where it isn't told. */
  space: z
    .object({
      freeBytes: z.number(),
      /** What the queue is still to bring to that volume, as far as it is known, and how many of unknown size. */
      promisedBytes: z.number(),
      promisedUnknownCount: z.number().int(),
      /** Free after the queue and this order; negative when it doesn't fit. */
      leftBytes: z.number(),
    })
    .nullable(),
});

/** What an order would bring, before it is given. */
export type OrderPlan = z.infer<typeof orderPlanSchema>;

/** How far an order is written down. Nothing of it is in the queue before `isQueued`. */
export const orderProgressSchema = z.object({
  /** The order's id; null when there was nothing to order. */
  downloadId: z.number().int().nullable(),
  itemCount: z.number().int(),
  doneItemCount: z.number().int(),
  /** Files that will be, or were, queued, those taken over from earlier orders among them. */
  fileCount: z.number().int(),
  /** Files left out because they are there. */
  thereCount: z.number().int(),
  problemCount: z.number().int(),
  problems: z.array(orderProblemSchema),
  /** Whether all of it is on disk, so that no power cut can lose it. The last event says so. */
  isQueued: z.boolean(),
});

/** How far an order is written down. */
export type OrderProgress = z.infer<typeof orderProgressSchema>;
