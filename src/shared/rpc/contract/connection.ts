import { z } from 'zod';
import { command, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

/** The catalog in use. */
export const connectionContract = {
  /** The catalog in use and whether it answers. */
  watch: stream({
    input: nothing,
    event: z.object({
      name: z.string(),
      kind: z.enum(['demo', 'remote']),
      baseUrl: z.string().nullable(),
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
};
