import { z } from 'zod';
import { command, query } from '../define-contract.ts';
import { maxPathLength, nothing } from './common.ts';

const folder = z.object({
  path: z.string(),
  /** Space left for us on its volume; null when the system doesn't tell. */
  freeBytes: z.number().int().nullable(),
});

/** Folders to download into. */
export const foldersContract = {
  /** Where downloads go when nothing else is chosen. */
  suggested: query({ input: nothing, output: folder, errors: [] }),
  /** The system's own folder dialog; null when it was dismissed. */
  choose: command({
    input: z.object({ startAt: z.string().max(maxPathLength).nullable() }),
    output: folder.nullable(),
    errors: ['host.unsupported'],
  }),
  /** Subfolders of a folder, for hosts without a dialog. A null path is the user's home. */
  list: query({
    input: z.object({ path: z.string().max(maxPathLength).nullable() }),
    output: z.object({
      folder,
      /** Its path; null at the top. */
      parent: z.string().nullable(),
      /** Their names, not their paths. */
      children: z.array(z.string()),
    }),
    errors: ['transfer.destination-missing', 'host.unsupported'],
  }),
  create: command({
    input: z.object({ parent: z.string().max(maxPathLength), name: z.string().min(1).max(120) }),
    output: folder,
    errors: ['transfer.destination-missing', 'transfer.destination-not-writable', 'host.unsupported'],
  }),
};
