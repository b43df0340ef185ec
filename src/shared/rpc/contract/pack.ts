import { z } from 'zod';
import { packChoiceSchema, packCountsSchema } from '../../pack/pack-choice.ts';
import { command, query, stream } from '../define-contract.ts';
import { maxPathLength, nothing } from './common.ts';

const path = z.string().min(1).max(maxPathLength);
const bytes = z.number().int().min(0);

const diskErrors = [
  'transfer.destination-missing',
  'transfer.destination-not-writable',
  'transfer.disk-full',
  'transfer.disk-error',
] as const;

/** Field packs: a part of the library in one file, for another computer. */
export const packContract = {
  /** What a choice comes to. */
  plan: query({
    input: packChoiceSchema,
    /** About how large the pack will be. */
    output: z.object({ counts: packCountsSchema, sizeBytes: bytes }),
    errors: ['saved.not-found', 'exchange.nothing'],
  }),
  /** Writes one; the last event has its path. Ending the subscription stops it, and leaves nothing. */
  export: stream({
    input: z.object({ choice: packChoiceSchema, folder: path, name: z.string().trim().min(1).max(120) }),
    event: z.object({ writtenBytes: bytes, sizeBytes: bytes, path: z.string().nullable() }),
    errors: [...diskErrors, 'saved.not-found', 'exchange.nothing', 'exchange.file-exists'],
  }),
  /** The system's own file dialog; null when it was dismissed. */
  chooseFile: command({
    input: nothing,
    output: z.object({ path }).nullable(),
    errors: ['host.unsupported'],
  }),
  /** Folders and packs in a folder, for hosts without a dialog. A null path is the user's home. */
  listFiles: query({
    input: z.object({ path: path.nullable() }),
    output: z.object({
      path: z.string(),
      /** Null at the top. */
      parent: z.string().nullable(),
      /** Their names, not their paths. */
      folders: z.array(z.string()),
      files: z.array(z.object({ name: z.string(), sizeBytes: bytes })),
    }),
    errors: ['transfer.destination-missing', 'host.unsupported'],
  }),
  /** What a pack says of itself. Its contents are checked when it is taken in. */
  preview: query({
    input: z.object({ path }),
    output: z.object({
      name: z.string(),
      catalogName: z.string(),
      catalogUrl: z.string().nullable(),
      createdAt: z.string(),
      swathVersion: z.string(),
      counts: packCountsSchema,
      filesBytes: bytes,
      packBytes: bytes,
    }),
    errors: [...diskErrors, 'exchange.unreadable'],
  }),
  /**
   * Checks a pack and takes it into the library of the catalog in use; the last event has the outcome. Ending the
   * subscription while it is checked changes nothing.
   */
  open: stream({
    input: z.object({
      path,
      /** Folder for the downloaded files; null leaves them out. */
      destination: path.nullable(),
    }),
    event: z.object({
      stage: z.enum(['checking', 'taking-in']),
      doneBytes: bytes,
      totalBytes: bytes,
      outcome: z
        .object({
          itemsTaken: z.number().int(),
          itemsKept: z.number().int(),
          searchesTaken: z.number().int(),
          thumbnailsTaken: z.number().int(),
          filesTaken: z.number().int(),
          filesKept: z.number().int(),
        })
        .nullable(),
    }),
    errors: [...diskErrors, 'exchange.unreadable'],
  }),
};
