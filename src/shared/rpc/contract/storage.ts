import { z } from 'zod';
import { searchQuerySchema } from '../../search/search-query.ts';
import { libraryLimitsSchema } from '../../settings/settings.ts';
import {
  backupSchema,
  evictionPreviewSchema,
  libraryUsageSchema,
  storageStatusSchema,
  storageTaskSchema,
} from '../../storage/storage.ts';
import { command, query, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

const folderPath = z.string().min(1).max(4096);

/** What is pinned: a search by its question, an area by its number, a collection by its id. */
const pinSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('search'), query: searchQuerySchema }),
  z.object({ kind: z.literal('area'), areaId: z.number().int() }),
  z.object({ kind: z.literal('collection'), collectionId: z.string().min(1).max(1000) }),
]);

/** Room for the libraries, and the care of their files. */
export const storageContract = {
  watch: stream({ input: nothing, event: storageStatusSchema, errors: [] }),
  /** Reads the whole file once: seconds for a library of a million Items. */
  usage: query({
    input: z.object({ connectionId: z.string().max(200) }),
    output: libraryUsageSchema,
    errors: ['library.folder-missing', 'connection.not-found'],
  }),
  /** What these limits would evict now. Nothing is changed. */
  preview: query({
    input: libraryLimitsSchema,
    output: evictionPreviewSchema,
    errors: ['library.folder-missing'],
  }),
  /** The limits from now on; what is beyond them is evicted in the background. */
  setLimits: command({ input: libraryLimitsSchema, output: nothing, errors: [] }),
  /** Begins something; `watch` tells how far it is and how it ended. */
  start: command({
    input: storageTaskSchema,
    output: nothing,
    errors: ['library.busy', 'connection.not-found', 'library.not-a-backup'],
  }),
  /** Stops what is running, where it can be stopped. */
  stop: command({ input: nothing, output: nothing, errors: [] }),
  /** Takes back the last restore or move. */
  undo: command({ input: nothing, output: nothing, errors: ['library.busy'] }),
  /** Takes the last outcome and the notices of recoveries that are over off the status. */
  dismiss: command({ input: nothing, output: nothing, errors: [] }),
  /** Looks at a backup before it is restored. */
  inspectBackup: query({
    input: z.object({ folder: folderPath }),
    output: backupSchema,
    errors: ['library.not-a-backup', 'library.newer-schema'],
  }),
  /** What is pinned in the catalog in use, and again after each change. */
  watchPins: stream({
    input: nothing,
    event: z.object({
      /** Keys of queries, as `toQueryKey` makes them. */
      queryKeys: z.array(z.string()),
      areaIds: z.array(z.number().int()),
      collectionIds: z.array(z.string()),
    }),
    errors: [],
  }),
  /** Keeps the Items of something from being evicted. */
  pin: command({ input: pinSchema, output: nothing, errors: [] }),
  unpin: command({ input: pinSchema, output: nothing, errors: [] }),
};
