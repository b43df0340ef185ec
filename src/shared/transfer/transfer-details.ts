import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { fileFindingSchema } from './file-finding.ts';
import { linkModeSchema, transferStates } from './transfer.ts';

/** What is known of one transfer beside what its row in a list says. */
export const transferDetailsSchema = z.object({
  links: linkModeSchema,
  /** The server that the bytes come from, without path; null before the first bytes. */
  sourceOrigin: z.string().nullable(),
  /** Tries since bytes last came, and how often the file was begun again because its source changed. */
  attempts: z.number().int(),
  restarts: z.number().int(),
  /** What the catalog says: `file:size` and `file:checksum`. */
  announcedBytes: z.number().nullable(),
  announcedChecksum: z.string().nullable(),
  /** Multihash in hex of the bytes as they were verified. */
  digest: z.string().nullable(),
  /** RFC 3339. */
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  checkedAt: z.string().nullable(),
  /** What happened, oldest first; the latest of it. */
  events: z.array(
    z.object({
      /** RFC 3339. */
      at: z.string(),
      state: z.enum(transferStates),
      /** Bytes that were on disk by then. */
      durableBytes: z.number(),
      error: errorDataSchema.nullable(),
      /** What was found when the file was looked at again; null for what happened while it came. */
      finding: fileFindingSchema.shape.result.nullable(),
    }),
  ),
});

/** What is known of one transfer beside what its row in a list says. */
export type TransferDetails = z.infer<typeof transferDetailsSchema>;
