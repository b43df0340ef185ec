import { z } from 'zod';
import {
  packChoiceSchema,
  packOutcomeSchema,
  packPlanSchema,
  packSummarySchema,
} from '../../pack/pack-choice.ts';
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

const choiceErrors = [
  'saved.not-found',
  'exchange.nothing',
  'basemap.not-found',
  'basemap.unreadable',
] as const;

/** Field packs: a part of the library in one file, for another computer. */
export const packContract = {
  /** What a choice comes to. */
  plan: query({
    input: packChoiceSchema,
    output: packPlanSchema,
    errors: choiceErrors,
  }),
  /** Writes one; the last event has its path. Ending the subscription stops it, and leaves nothing. */
  export: stream({
    input: z.object({ choice: packChoiceSchema, folder: path, name: z.string().trim().min(1).max(120) }),
    event: z.object({ writtenBytes: bytes, sizeBytes: bytes, path: z.string().nullable() }),
    errors: [...diskErrors, ...choiceErrors, 'exchange.file-exists'],
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
    output: packSummarySchema,
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
      outcome: packOutcomeSchema.nullable(),
    }),
    errors: [...diskErrors, 'exchange.unreadable'],
  }),
};
