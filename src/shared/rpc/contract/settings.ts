import { settingsChangeSchema, settingsSchema } from '../../settings/settings.ts';
import { command, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

/** What a person can set. */
export const settingsContract = {
  watch: stream({ input: nothing, event: settingsSchema, errors: [] }),
  change: command({ input: settingsChangeSchema, output: settingsSchema, errors: [] }),
};
