import { z } from 'zod';
import { errorDataSchema } from '../errors/app-error.ts';

/** What is tried on a connection, in this order. */
export const checkStepNames = [
  'reachable',
  'tls',
  'authenticated',
  'collections',
  'search',
  'queryables',
  'signed-links',
  'proxy-links',
] as const;

/** One thing that was tried, and how it went. */
export const checkStepSchema = z.object({
  step: z.enum(checkStepNames),
  /** `warned`: works, or is not needed everywhere, but somebody should know; `skipped`: can't be tried, or needn't be. */
  state: z.enum(['ok', 'warned', 'failed', 'skipped']),
  /** Facts in a few words, such as "8 collections, in 84 ms". Never a secret. */
  detail: z.string(),
  error: errorDataSchema.nullable(),
});

/** What is tried on a connection. */
export type CheckStepName = (typeof checkStepNames)[number];

/** One thing that was tried, as it travels. */
export type CheckStepData = z.infer<typeof checkStepSchema>;
