import { z } from 'zod';
import { offlineEstimateSchema } from '../../offline/offline-estimate.ts';
import { offlineChoiceSchema, takenJobSchema } from '../../offline/offline-job.ts';
import { savedNameSchema, savedQuestionSchema } from '../../search/saved-question.ts';
import { command, query, stream } from '../define-contract.ts';
import { catalogErrors, itemRef, nothing } from './common.ts';
import { pastRunSchema } from './saved.ts';

const jobId = z.object({ jobId: z.number().int() });
const changeJob = command({ input: jobId, output: nothing, errors: ['saved.not-found'] });

/** Fetching whole answers, to have them with no network. Of the catalog in use. */
export const takeOfflineContract = {
  /** All jobs, newest first, and all again as they come further. */
  watch: stream({ input: nothing, event: z.object({ jobs: z.array(takenJobSchema) }), errors: [] }),
  /** How much a question would be. The Items that were looked at are in the library then. */
  estimate: query({
    input: z.object({ question: savedQuestionSchema }),
    output: offlineEstimateSchema.extend({ sample: z.array(itemRef) }),
    errors: [...catalogErrors, 'stac.query-rejected', 'stac.collection-not-found'],
  }),
  /** Begins to fetch a question to its end, or goes on where the same was begun before. */
  start: command({
    input: z.object({ name: savedNameSchema, question: savedQuestionSchema, choice: offlineChoiceSchema }),
    output: jobId,
    errors: ['transfer.destination-missing', 'transfer.destination-not-writable'],
  }),
  /** What a job asks, and the record of what it brought: null before its first page, and where that was forgotten. */
  question: query({
    input: jobId,
    output: z.object({ question: savedQuestionSchema, run: pastRunSchema.nullable() }),
    errors: ['saved.not-found'],
  }),
  pause: changeJob,
  /** Goes on where it stopped, tries again what failed, and fetches again what was evicted. */
  goOn: changeJob,
  /** Ends it; what came stays. */
  cancel: changeJob,
  /** Takes it off the list; what came stays. */
  remove: changeJob,
  /** Undoes `remove`, as long as the program runs; what had not come to its end begins anew. */
  restore: changeJob,
};
