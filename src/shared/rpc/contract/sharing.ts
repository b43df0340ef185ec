import { z } from 'zod';
import { errorDataSchema } from '../../errors/app-error.ts';
import { sharingSettingsSchema } from '../../settings/sharing-settings.ts';
import { command, query, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

const wish = sharingSettingsSchema.omit({ isOn: true });

const tokenSchema = z.object({
  token: z.string(),
  /** `session`: another one at the next start of the program. */
  place: z.enum(['keychain', 'session']),
});

/** The library as a STAC API for other programs. */
export const sharingContract = {
  watch: stream({
    input: nothing,
    event: z.object({
      state: z.enum(['off', 'starting', 'on']),
      /** Null while it isn't on. */
      baseUrl: z.string().nullable(),
      /** Answered since it was switched on. */
      requestCount: z.number().int(),
      /** Why it could not go on at the start of the program. */
      problem: errorDataSchema.nullable(),
      /** As it is, or was last. */
      settings: wish,
    }),
    errors: [],
  }),
  /** Switches it on, or on again with other settings. */
  start: command({
    input: wish,
    output: nothing,
    errors: ['connection.not-found', 'library.newer-schema'],
  }),
  stop: command({ input: nothing, output: nothing, errors: [] }),
  /** The token for other programs; made when first asked for. */
  token: query({ input: nothing, output: tokenSchema, errors: [] }),
  /** Makes another token: who has the old one is locked out. */
  renewToken: command({ input: nothing, output: tokenSchema, errors: [] }),
};
