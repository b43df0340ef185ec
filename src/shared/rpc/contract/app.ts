import { z } from 'zod';
import { command, query, stream } from '../define-contract.ts';
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
      /** Whether finished files can be opened with the system's program for them. */
      canOpenFiles: z.boolean(),
    }),
    errors: [],
  }),
  /** What a person asked for outside the window: in the tray, or on a notification. */
  calls: stream({ input: nothing, event: z.object({ view: z.enum(['downloads']) }), errors: [] }),
  openFile: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['host.unsupported', 'transfer.not-found'],
  }),
  showFile: command({
    input: z.object({ transferId: z.number().int() }),
    output: nothing,
    errors: ['host.unsupported', 'transfer.not-found'],
  }),
};
