import { z } from 'zod';
import { errorDataSchema } from '../../errors/app-error.ts';
import { settingsChangeSchema, settingsSchema } from '../../settings/settings.ts';
import { command, query, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

/** What a person can set. */
export const settingsContract = {
  watch: stream({ input: nothing, event: settingsSchema, errors: [] }),
  /** How the network is reached from now on. A login in the proxy's address goes to the secret store. */
  changeNetwork: command({
    input: z.object({
      proxy: z.object({ mode: z.enum(['system', 'manual', 'none']), address: z.string().max(2000) }),
      extraCaFile: z.string().min(1).max(4096).nullable(),
    }),
    output: settingsSchema,
    errors: [],
  }),
  /** What stands between Swath and the catalog in use now. */
  network: query({
    input: nothing,
    output: z.object({
      /** `host:port`; null where the catalog is reached directly. */
      proxy: z.string().nullable(),
      /** What is wrong with the extra certificate file; null when nothing is. */
      problem: errorDataSchema.nullable(),
    }),
    errors: [],
  }),
  change: command({ input: settingsChangeSchema, output: settingsSchema, errors: [] }),
};
