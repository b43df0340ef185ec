import { z } from 'zod';
import { errorDataSchema } from '../../errors/app-error.ts';
import { assetRuleSchema } from '../../selection/asset-rule.ts';
import { query, stream } from '../define-contract.ts';
import { itemRef } from './common.ts';

/** The most Items whose assets are looked at together. */
export const maxSelectedItems = 10_000;

/** One asset as many Items have it, by its key. */
const assetKind = z.object({
  key: z.string(),
  title: z.string().nullable(),
  mediaType: z.string().nullable(),
  roles: z.array(z.string()),
  /** Common names of its bands, or names where they have none. */
  bands: z.array(z.string()),
  /** How many of the Items have it. */
  itemCount: z.number().int(),
  /** What is known of its size in all of them, and in how many it isn't known. */
  knownBytes: z.number(),
  unknownCount: z.number().int(),
  /** In how many it can't be downloaded. */
  unavailableCount: z.number().int(),
});

const itemFailure = itemRef.extend({ error: errorDataSchema });

const selectionAssets = z.object({
  /** Names the selection for `total`, for as long as the subscription lasts. */
  selectionId: z.string(),
  readCount: z.number().int(),
  itemCount: z.number().int(),
  isDone: z.boolean(),
  /** Items that can't be read: how many, and the first of them. */
  failedCount: z.number().int(),
  failed: z.array(itemFailure),
  /** Those that most Items have first. */
  kinds: z.array(assetKind),
  /** Kinds that are left out of the list because there are too many; a pattern still finds them. */
  hiddenKindCount: z.number().int(),
  /** The rule that these collections were last downloaded with; null before. */
  lastRule: assetRuleSchema.nullable(),
});

const selectionTotal = z.object({
  /** Items of which something will be downloaded, and of which nothing is chosen. */
  itemCount: z.number().int(),
  withoutCount: z.number().int(),
  fileCount: z.number().int(),
  knownBytes: z.number(),
  unknownCount: z.number().int(),
  /** Chosen assets that can't be downloaded, by reason. */
  directoryCount: z.number().int(),
  unsupportedCount: z.number().int(),
  /** Keys that are chosen, the first of them. */
  chosenKeys: z.array(z.string()),
  chosenKeyCount: z.number().int(),
  /** Patterns of the rule that no asset fits. */
  idlePatterns: z.array(z.string()),
});

/** Many Items at once. */
export const selectionContract = {
  /**
   * What assets these Items have. Read from the library; Items that it doesn't have whole are asked for. The selection
   * lives until the subscription ends.
   */
  assets: stream({
    input: z.object({ refs: z.array(itemRef).min(1).max(maxSelectedItems) }),
    event: selectionAssets,
    errors: ['network.offline', 'network.switched-off'],
  }),
  /** What a rule chooses, and how much that is. */
  total: query({
    input: z.object({ selectionId: z.string(), rule: assetRuleSchema }),
    output: selectionTotal,
    errors: [],
  }),
};
