import { z } from 'zod';
import { assetRuleSchema } from '../selection/asset-rule.ts';
import { settingsSchema } from '../settings/settings.ts';
import { orderPlanSchema, orderProgressSchema, orderTermsSchema } from '../transfer/download-order.ts';
import { downloadRuleSchema, ruleRunSchema, ruleTermsSchema } from '../transfer/download-rule.ts';
import { fileFindingSchema, maxToldFindings } from '../transfer/file-finding.ts';
import { gatheredItemSchema } from '../transfer/gathered-item.ts';
import { handoverTools } from '../transfer/handover-tool.ts';
import { catalogErrors, maxPathLength, nothing } from './contract/common.ts';
import { downloadsContract, orderErrors } from './contract/downloads.ts';
import { command, query, stream } from './define-contract.ts';

const connectionId = z.string().min(1);
const itemCount = z.object({ itemCount: z.number().int() });
/** A saved search of a catalog. */
const saved = z.object({ connectionId, name: z.string().max(500) });
const limits = settingsSchema.pick({ maxConcurrentTransfers: true, transferLimits: true });
const order = z.object({
  connectionId,
  destination: z.string().min(1).max(maxPathLength),
  /** Keys, or the rule that chooses among an Item's assets. */
  wanted: z.union([z.array(z.string().max(500)).min(1).max(1000), assetRuleSchema]),
});
const savedErrors = ['saved.not-found', 'connection.not-found'] as const;

/**
 * What a command asks of the program that has the download queue: a window, `swath queue run`, or the command itself.
 * Catalogs are named by id and reached with what that program knows of them; no secret is in any call. Steps of the queue that
 * are asked for with a key are done once: whoever didn't get the answer, because the program ended, asks again and gets it.
 */
export const commandContract = {
  /** As the window has them. */
  queue: {
    watch: downloadsContract.watch,
    report: downloadsContract.report,
    history: downloadsContract.history,
    verify: downloadsContract.verify,
    pause: downloadsContract.pause,
    resume: downloadsContract.resume,
    cancel: downloadsContract.cancel,
    undoCancel: downloadsContract.undoCancel,
    remove: downloadsContract.remove,
    prioritise: downloadsContract.prioritise,
    pauseQueue: downloadsContract.pauseQueue,
    resumeQueue: downloadsContract.resumeQueue,
    dismissNotice: downloadsContract.dismissNotice,
    /**
     * Notes what was found of files; `spoiltCount` of the missing and changed ones can be had again with `resume`. What is
     * missing of `unknownPaths` is with its drive, which isn't there.
     */
    noteFindings: command({
      input: z.object({ findings: z.array(fileFindingSchema).max(maxToldFindings) }),
      output: z.object({ spoiltCount: z.number().int(), unknownPaths: z.array(z.string()) }),
      errors: [],
    }),
    /** Orders that are not at their end, and whose catalog is not known. */
    strandedOrders: query({
      input: nothing,
      output: z.object({ orders: z.array(z.object({ downloadId: z.number().int(), connectionId })) }),
      errors: [],
    }),
    /** Writes down what is still to come for another tool, without secrets. Null comes last. */
    handOver: stream({
      input: z.object({
        tool: z.enum(handoverTools),
        downloadId: z.number().int().nullable(),
        /** The folder on the other machine; null: that of each order. */
        folder: z.string().min(1).max(maxPathLength).nullable(),
        /** Where the header with the token will be. */
        tokenFile: z.string().max(maxPathLength),
      }),
      event: z.object({
        part: z
          .union([
            z.object({ lines: z.array(z.string()), isFile: z.boolean() }),
            z.object({ itemId: z.string(), assetKey: z.string(), why: z.string() }),
          ])
          .nullable(),
      }),
      errors: ['transfer.not-found'],
    }),
  },
  /** Items are gathered first, in as many calls as they need; `plan` and `place` are for all of them. */
  orders: {
    gather: command({
      input: z.object({ items: z.array(gatheredItemSchema) }),
      output: itemCount,
      errors: [],
    }),
    /** The Items of a saved search, asked anew. */
    gatherSaved: command({
      input: saved,
      output: itemCount.extend({ name: z.string() }),
      errors: [...catalogErrors, ...savedErrors, 'stac.query-rejected', 'stac.collection-not-found'],
    }),
    plan: query({ input: order, output: orderPlanSchema, errors: orderErrors }),
    /** Queues the order, all of it or nothing. */
    place: command({
      input: order.extend(orderTermsSchema.shape),
      output: orderProgressSchema,
      errors: orderErrors,
    }),
  },
  limits: {
    read: query({ input: nothing, output: limits, errors: [] }),
    change: command({ input: limits, output: limits, errors: [] }),
  },
  /** Rules of saved searches. */
  rules: {
    list: query({
      input: z.object({ connectionId }),
      output: z.object({ rules: z.array(downloadRuleSchema.extend({ name: z.string() })) }),
      errors: [],
    }),
    /** Makes or changes a rule, and switches it on. `isPrimed`: what is there already is queued, too. */
    save: command({
      input: saved.extend({ terms: ruleTermsSchema, isPrimed: z.boolean() }),
      output: nothing,
      errors: savedErrors,
    }),
    switch: command({ input: saved.extend({ isOn: z.boolean() }), output: nothing, errors: savedErrors }),
    remove: command({ input: saved, output: nothing, errors: savedErrors }),
    /** What went wrong is in the answer. */
    run: command({ input: saved, output: ruleRunSchema, errors: savedErrors }),
  },
};
