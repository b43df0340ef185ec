import { z } from 'zod';
import { command, query } from '../define-contract.ts';
import { nothing } from './common.ts';

/** What the host can do. */
export const appContract = {
  info: query({
    input: nothing,
    output: z.object({
      version: z.string(),
      host: z.enum(['electron', 'browser']),
      /** Whether `folders.choose` opens the system's own dialog. */
      hasFolderDialog: z.boolean(),
      /** Whether finished files can be shown in the system's file manager. */
      canShowFiles: z.boolean(),
    }),
    errors: [],
  }),
  showFile: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['host.unsupported', 'transfer.not-found'],
  }),
};
