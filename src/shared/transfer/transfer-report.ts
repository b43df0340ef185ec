import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { nextStepSchema } from './next-step.ts';
import { transferStates, verificationSchema } from './transfer.ts';

const reportLine = z.object({
  /** Title of its order: files of several orders may have one name. */
  orderTitle: z.string(),
  collectionId: z.string(),
  itemId: z.string(),
  assetKey: z.string(),
  filePath: z.string().nullable(),
  sizeBytes: z.number().nullable(),
});

/** What became of an order, or of all. */
export const transferReportSchema = z.object({
  /** Null for all orders. */
  downloadId: z.number().int().nullable(),
  title: z.string().nullable(),
  destination: z.string().nullable(),
  /** RFC 3339. */
  at: z.string(),
  /** Whether nothing more happens by itself. */
  isSettled: z.boolean(),
  /** Size and checksum as announced. */
  verified: z.object({ count: z.number().int(), bytes: z.number() }),
  /** Complete as far as can be told, with why no more could be proved. */
  unverified: z.array(
    reportLine.extend({
      verification: verificationSchema,
      /** `checksum-unusable`: the catalog gives one, of a kind that can't be computed; `-malformed`: it gives none that is one. */
      why: z.enum(['no-checksum', 'no-checksum-no-size', 'checksum-unusable', 'checksum-malformed']),
    }),
  ),
  /** Done, but missing or changed when they were looked at again. */
  lost: z.array(reportLine.extend({ finding: z.enum(['missing', 'changed']) })),
  failed: z.array(reportLine.extend({ error: errorDataSchema, nextStep: nextStepSchema })),
  /** Not at their end, paused ones among them. `error` says what a waiting one waits for. */
  waiting: z.array(
    reportLine.extend({
      connectionId: z.string(),
      state: z.enum(transferStates),
      receivedBytes: z.number(),
      resumeAt: z.string().nullable(),
      error: errorDataSchema.nullable(),
    }),
  ),
  cancelledCount: z.number().int(),
});

/** What became of an order, or of all. */
export type TransferReport = z.infer<typeof transferReportSchema>;
