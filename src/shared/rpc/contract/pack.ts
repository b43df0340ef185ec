import { z } from 'zod';
import {
  packChoiceSchema,
  packOutcomeSchema,
  packStageSchema,
  packPlanSchema,
  packSummarySchema,
} from '../../pack/pack-choice.ts';
import { query, stream } from '../define-contract.ts';
import { chooseFile, listFiles } from './chosen-files.ts';
import { maxPathLength } from './common.ts';

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
  chooseFile,
  listFiles,
  /** What a pack says of itself. Its contents are checked when it is taken in. */
  preview: query({
    input: z.object({ path }),
    output: packSummarySchema,
    errors: [...diskErrors, 'exchange.unreadable'],
  }),
  /**
   * Checks a pack and takes it into the library of the catalog in use; the last event has the outcome. Ending the
   * subscription before its files are placed changes nothing.
   */
  open: stream({
    input: z.object({
      path,
      /** Folder for the downloaded files; null leaves them out. */
      destination: path.nullable(),
    }),
    event: z.object({
      stage: packStageSchema,
      doneBytes: bytes,
      totalBytes: bytes,
      outcome: packOutcomeSchema.nullable(),
    }),
    errors: [...diskErrors, 'exchange.unreadable'],
  }),
};
