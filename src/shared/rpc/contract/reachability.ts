import { z } from 'zod';
import { stream } from '../define-contract.ts';
import { nothing } from './common.ts';

/** Whether the catalog in use can be asked. Working offline is a setting: `settings.change`. */
export const reachabilityContract = {
  watch: stream({
    input: nothing,
    event: z.object({
      connectionId: z.string(),
      /** Whether searches are answered from the library. */
      isOffline: z.boolean(),
      /** `switch`: somebody works offline. `unreachable`: the catalog can't be reached. Null while online. */
      cause: z.enum(['switch', 'unreachable']).nullable(),
      /** When the catalog is asked by itself whether it is back, RFC 3339; null when it isn't. */
      nextProbeAt: z.string().nullable(),
      /** When the catalog last gave the library something, RFC 3339; null for an empty library. */
      libraryAsOf: z.string().nullable(),
    }),
    errors: [],
  }),
};
