import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';
import { linkKindSchema } from './link-kind.ts';

/** States of one asset on its way into one file (downloads.md b.2). */
export const transferStates = [
  'queued',
  'preparing',
  'downloading',
  'verifying',
  'finalizing',
  'waiting',
  'paused',
  'failed',
  'cancelled',
  'done',
] as const;

/** One of the states of a transfer. */
export type TransferState = (typeof transferStates)[number];

/** What was proved about a file under its final name. */
export const verificationSchema = z.enum(['checksum', 'size-only', 'none']);

/** `checksum`: size and checksum as announced. `size-only` and `none`: the catalog gave no means to prove more. */
export type Verification = z.infer<typeof verificationSchema>;

/** Which way to the bytes: signed links first and then the proxy (`auto`), or only one of them. */
export const linkModeSchema = z.enum(['auto', 'signed', 'proxy']);

/** How download links are asked for. */
export type LinkMode = z.infer<typeof linkModeSchema>;

/** How much sooner than others a transfer gets a slot. */
export const transferPrioritySchema = z.enum(['high', 'normal', 'low']);

/** How much sooner than others a transfer gets a slot. */
export type TransferPriority = z.infer<typeof transferPrioritySchema>;

/** A transfer as the window and scripts see it: no link, no token. */
export const transferSchema = z.object({
  transferId: z.number().int(),
  /** The order that it belongs to. */
  downloadId: z.number().int(),
  collectionId: z.string(),
  itemId: z.string(),
  assetKey: z.string(),
  state: z.enum(transferStates),
  /** Why a waiting transfer waits, and when it goes on (RFC 3339); null otherwise. */
  waiting: z.object({ error: errorDataSchema, resumeAt: z.string().nullable() }).nullable(),
  /** Bytes received so far. */
  receivedBytes: z.number().int(),
  /** Null while unknown. */
  totalBytes: z.number().int().nullable(),
  /** Averaged over some seconds; 0 when nothing flows. */
  bytesPerSecond: z.number(),
  /** The same over a longer while, by which the time left is told. */
  pace: z.number(),
  /** Where the file is, or will be under its final name. */
  filePath: z.string().nullable(),
  linkKind: linkKindSchema.nullable(),
  /** Whether it runs, but its server can't have one more connection now. */
  isInLine: z.boolean().optional(),
  /** Since when its server sends nothing (RFC 3339); others have its turn meanwhile. */
  quietSince: z.string().optional(),
  verification: verificationSchema.nullable(),
  /** Why the catalog's checksum proves nothing; left out where it does, or there is none. */
  checksumProblem: z.enum(['malformed', 'unknown-kind']).optional(),
  /** Why it has failed, or what was found wrong while it was verified, and is put right. */
  error: errorDataSchema.nullable(),
  priority: transferPrioritySchema,
  /** Order within its priority, ascending; the numbers mean nothing else. */
  position: z.number().int(),
  /** Until when a cancelled transfer can be had back with all its bytes (RFC 3339); null when that is over. */
  undoUntil: z.string().nullable(),
  /** What was found wrong with the file of a transfer that is done when it was looked at again. */
  finding: z.enum(['missing', 'changed']).nullable(),
});

/** One asset into one file; the unit of state, retry and progress. */
export type Transfer = z.infer<typeof transferSchema>;

/** Whether a transfer has ended, for good or until a person acts. */
export function isSettled(state: TransferState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled' || state === 'paused';
}
