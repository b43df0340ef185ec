import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { assetRuleSchema } from '../selection/asset-rule.ts';
import { maxOrderedFiles } from './download-order.ts';
import { linkModeSchema } from './transfer.ts';

/** What a rule orders of each new Item of its saved search, and how much of it at once. */
export const ruleTermsSchema = z.object({
  choice: assetRuleSchema,
  /** Absolute path of a folder. */
  destination: z.string().min(1).max(32_767),
  links: linkModeSchema,
  /** Files of one run at most; Items that are left are for the next one. */
  maxFiles: z.number().int().min(1).max(maxOrderedFiles),
  /** Announced bytes of one run at most; null for no limit. Files of unknown size count as files only. */
  maxBytes: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** How often the window runs it by itself; null: only when a person looks for what is new. */
  everyHours: z.number().int().min(1).max(720).nullable(),
});

/** What a rule orders. */
export type RuleTerms = z.infer<typeof ruleTermsSchema>;

/** What a run of a rule did. */
export const ruleRunSchema = z.object({
  /** RFC 3339. */
  at: z.string(),
  /** The first run of a rule for what is new from then on: it took note of `itemCount` Items, and ordered nothing. */
  isFirst: z.boolean(),
  /** New Items. */
  itemCount: z.number().int(),
  /** Files that were queued. */
  fileCount: z.number().int(),
  knownBytes: z.number(),
  /** The order; null when nothing was queued. */
  downloadId: z.number().int().nullable(),
  /** New Items that are left for the next run, because of the limits. */
  leftCount: z.number().int(),
  /** New Items that alone are more than the limits allow: they are never ordered. */
  tooLargeCount: z.number().int(),
  /** Why it ended early; then the next run begins with the same Items. */
  error: errorDataSchema.nullable(),
});

/** What a run of a rule did. */
export type RuleRun = z.infer<typeof ruleRunSchema>;

/** A rule: new Items of a saved search are ordered by themselves. */
export const downloadRuleSchema = ruleTermsSchema.extend({
  savedSearchId: z.number().int(),
  isOn: z.boolean(),
  lastRun: ruleRunSchema.nullable(),
});

/** A rule: new Items of a saved search are ordered by themselves. */
export type DownloadRule = z.infer<typeof downloadRuleSchema>;

/** Limits of a rule until others are chosen: nobody's disk is filled unawares. */
export const usualRuleLimits = { maxFiles: 100, maxBytes: 20_000_000_000 } as const;
