import { z } from 'zod';
import { command, query } from '../define-contract.ts';
import { maxPathLength, nothing } from './common.ts';

/** The system's own file dialog; null when it was dismissed. */
export const chooseFile = command({
  input: nothing,
  output: z.object({ path: z.string().max(maxPathLength) }).nullable(),
  errors: ['host.unsupported'],
});

/** Folders and files of one kind in a folder, for hosts without a dialog. A null path is the user's home. */
export const listFiles = query({
  input: z.object({ path: z.string().max(maxPathLength).nullable() }),
  output: z.object({
    path: z.string(),
    /** Null at the top. */
    parent: z.string().nullable(),
    /** Their names, not their paths. */
    folders: z.array(z.string()),
    files: z.array(z.object({ name: z.string(), sizeBytes: z.number().int().min(0) })),
  }),
  errors: ['transfer.destination-missing', 'host.unsupported'],
});
