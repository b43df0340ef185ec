import { z } from 'zod';
import { linkModeSchema } from '../../transfer/transfer.ts';
import { command, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

/** The catalog in use. */
export const connectionContract = {
  /** The catalog in use and whether it answers. */
  watch: stream({
    input: nothing,
    event: z.object({
      /** Names it in calls, in the paths of its pictures and in the settings. */
      connectionId: z.string(),
      name: z.string(),
      kind: z.enum(['demo', 'remote']),
      baseUrl: z.string().nullable(),
      /** Which download links are used unless another kind is chosen. */
      links: linkModeSchema,
      state: z.enum(['starting', 'online', 'offline', 'unauthorized', 'failed']),
      /** Sentence for the log; null when all is well. */
      problem: z.string().nullable(),
      /** Catalog requests on their way now. */
      activeRequests: z.number().int(),
      maxRequests: z.number().int(),
    }),
    errors: [],
  }),
  retry: command({ input: nothing, output: nothing, errors: [] }),
  /** Takes a catalog into use, for every window. Transfers from others go on. */
  select: command({
    input: z.object({ connectionId: z.string() }),
    output: nothing,
    errors: ['connection.not-found', 'library.newer-schema', 'library.corrupt', 'library.in-use'],
  }),
};
