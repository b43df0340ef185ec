import { z } from 'zod';
import { assetRuleSchema } from '../../selection/asset-rule.ts';
import {
  downloadOrderSchema,
  orderPlanSchema,
  orderProgressSchema,
  orderTermsSchema,
} from '../../transfer/download-order.ts';
import { queueStatusSchema } from '../../transfer/queue-status.ts';
import { transferDetailsSchema } from '../../transfer/transfer-details.ts';
import { transferFilterSchema, transferPlaceSchema } from '../../transfer/transfer-filter.ts';
import { broughtFileSchema, historyPageSchema, maxAskedItems } from '../../transfer/transfer-history.ts';
import { transferReportSchema } from '../../transfer/transfer-report.ts';
import { transferPrioritySchema, transferSchema } from '../../transfer/transfer.ts';
import { command, query, stream } from '../define-contract.ts';
import { catalogErrors, itemRef, maxPathLength, nothing } from './common.ts';
import { maxSelectedItems } from './selection.ts';

const count = z.object({ count: z.number().int() });
const destination = z.string().min(1).max(maxPathLength);
/** Codes that planning and placing an order may end with. */
export const orderErrors = [
  ...catalogErrors,
  'connection.not-found',
  'stac.item-not-found',
  'stac.collection-not-found',
  'stac.asset-not-found',
  'link.none',
  'transfer.destination-missing',
  'transfer.destination-not-writable',
] as const;

/** Assets of many Items, chosen by one rule. */
const choice = z.object({
  refs: z.array(itemRef).min(1).max(maxSelectedItems),
  rule: assetRuleSchema,
  destination,
});

/** The download queue. `count` is the number of transfers that were changed. */
export const downloadsContract = {
  /** What an order would bring. Items that the library doesn't have are asked for. */
  plan: query({ input: choice, output: orderPlanSchema, errors: orderErrors }),
  /**
   * Queues what a rule chooses, all of it or nothing. Ending the subscription before `isQueued` leaves nothing behind.
   */
  order: stream({
    input: choice.extend(orderTermsSchema.shape),
    event: orderProgressSchema,
    errors: orderErrors,
  }),
  pause: command({ input: transferFilterSchema, output: count, errors: ['transfer.not-found'] }),
  /**
   * Goes on with paused and waiting transfers, and tries failed ones again; with cancelled ones, and done ones whose
   * file is missing or changed, only when they are named by id or state.
   */
  resume: command({ input: transferFilterSchema, output: count, errors: ['transfer.not-found'] }),
  /** Takes transfers to the front and gives them slots, if need be those of the last that run. */
  startNow: command({
    input: z.object({ transferIds: z.array(z.number().int()).min(1).max(100) }),
    output: count,
    errors: ['transfer.not-found'],
  }),
  /** Part files stay until `undoUntil` (RFC 3339), and so long `undoCancel` takes it back. */
  cancel: command({
    input: transferFilterSchema,
    output: z.object({ cancelId: z.number().int(), count: z.number().int(), undoUntil: z.string() }),
    errors: ['transfer.not-found'],
  }),
  undoCancel: command({ input: z.object({ cancelId: z.number().int() }), output: count, errors: [] }),
  /** Takes settled transfers, except paused ones, off the list; files and the history of those done stay. */
  remove: command({ input: transferFilterSchema, output: count, errors: ['transfer.not-found'] }),
  move: command({
    input: z.object({
      transferIds: z.array(z.number().int()).min(1).max(20_000),
      place: transferPlaceSchema,
    }),
    output: count,
    errors: ['transfer.not-found'],
  }),
  prioritise: command({
    input: z.object({ which: transferFilterSchema, priority: transferPrioritySchema }),
    output: count,
    errors: ['transfer.not-found'],
  }),
  /**
   * Sends what is not done to another folder, where it goes on with what it has; failed and waiting ones are tried again.
   * `anewCount` of them begin anew, because what came of them is out of reach.
   */
  sendTo: command({
    input: z.object({ which: transferFilterSchema, destination }),
    output: z.object({ count: z.number().int(), anewCount: z.number().int() }),
    errors: ['transfer.not-found', 'transfer.destination-missing', 'transfer.destination-not-writable'],
  }),
  /** Stops all transfers until `resumeQueue`, through restarts; single ones keep their states. */
  pauseQueue: command({ input: nothing, output: nothing, errors: [] }),
  resumeQueue: command({ input: nothing, output: nothing, errors: [] }),
  /** Reads files of transfers that are done again. Events tell those that were looked at since the last one. */
  verify: stream({
    input: transferFilterSchema,
    event: z.object({
      totalCount: z.number().int(),
      doneCount: z.number().int(),
      results: z.array(
        z.object({
          transferId: z.number().int(),
          result: z.enum(['ok', 'missing', 'changed', 'unreadable']),
        }),
      ),
      isDone: z.boolean(),
    }),
    errors: ['transfer.not-found'],
  }),
  report: query({
    /** Null for all orders. */
    input: z.object({ downloadId: z.number().int().nullable() }),
    output: transferReportSchema,
    errors: ['transfer.not-found'],
  }),
  /** A closer look at one transfer. */
  details: query({
    input: z.object({ transferId: z.number().int() }),
    output: transferDetailsSchema,
    errors: ['transfer.not-found'],
  }),
  /** Files that were brought home, newest first; all words of `text` are in names, path or title. */
  history: query({
    input: z.object({
      text: z.string().max(500),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(500),
    }),
    output: historyPageSchema,
    errors: [],
  }),
  /** The files that were brought of an Item, the last one of each asset. */
  brought: query({
    input: z.object({ connectionId: z.string(), ref: itemRef }),
    output: z.object({ files: z.array(broughtFileSchema) }),
    errors: [],
  }),
  /** The assets of each of these Items of which a file was brought, whether or not it is still there. */
  broughtAssets: query({
    input: z.object({ connectionId: z.string(), refs: z.array(itemRef).min(1).max(maxAskedItems) }),
    output: z.object({ assetKeys: z.array(z.array(z.string())) }),
    errors: [],
  }),
  /** Forgets the history; files and the list stay. */
  clearHistory: command({ input: nothing, output: count, errors: [] }),
  dismissNotice: command({ input: nothing, output: nothing, errors: [] }),
  /**
   * First all transfers in the queue's order, then those that changed, each at most 4 times a second; where they are many
   * in several events until `isComplete`, which belong together. `orders` are all orders, whenever they are others than before.
   */
  watch: stream({
    input: nothing,
    event: z.object({
      changed: z.array(transferSchema),
      removed: z.array(z.number().int()),
      orders: z.array(downloadOrderSchema).nullable(),
      queue: queueStatusSchema,
      isComplete: z.boolean(),
    }),
    errors: [],
  }),
};
