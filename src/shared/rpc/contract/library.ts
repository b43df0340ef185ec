import { z } from 'zod';
import { itemRowSchema } from '../../stac/item-row.ts';
import { command, query } from '../define-contract.ts';
import { nothing } from './common.ts';

const count = z.number().int();
const timestamp = z.string().nullable();

const collectionOverview = z.object({
  collectionId: z.string(),
  itemCount: count,
  /** Items that are known in part only; opening one fetches the rest. */
  partialCount: count,
  pictureCount: count,
  /** When its items were taken, RFC 3339; null where none says. */
  firstTaken: timestamp,
  lastTaken: timestamp,
  /** When they were fetched. */
  oldestFetch: z.string(),
  newestFetch: z.string(),
  /** Items in equal parts of the time from the first to the last item of all collections. */
  timeCounts: z.array(count),
  /** As of when everything that the catalog has of it is here; null where only what happened to be seen is. */
  completeAsOf: timestamp,
});

/** What is kept of the catalog in use. */
export const libraryContract = {
  /** Goes through the whole library, in a thread of its own: a second for each million items. */
  overview: query({
    input: nothing,
    output: z.object({
      itemCount: count,
      /** Those with most items first. */
      collections: z.array(collectionOverview),
      firstTaken: timestamp,
      lastTaken: timestamp,
      /** Where the items lie: how many have their middle in a cell of the world. */
      cells: z.array(z.object({ west: z.number(), south: z.number(), count })),
      cellDegrees: z.number(),
    }),
    errors: [],
  }),
  /** What of the library lies in a kept area. */
  area: query({
    input: z.object({ areaId: z.number().int() }),
    output: z.object({
      /** Null where there are too many to count. */
      itemCount: count.nullable(),
      /** When the newest of them was taken, RFC 3339. */
      lastTaken: timestamp,
      /** As of when everything that the catalog has there is here; null where only what happened to be seen is. */
      completeAsOf: timestamp,
    }),
    errors: ['saved.not-found'],
  }),
  /** Forgets a past search with all its runs; its items stay. */
  forgetSearch: command({
    input: z.object({ searchNumber: z.number().int() }),
    output: nothing,
    errors: [],
  }),
  /** Undoes `forgetSearch`, as long as the program runs. */
  takeSearchBack: command({
    input: z.object({ searchNumber: z.number().int() }),
    output: nothing,
    errors: ['saved.not-found'],
  }),
  /** Items whose ids, titles or properties have all of these words; best first. */
  find: query({
    input: z.object({ text: z.string().max(1000), limit: z.number().int().min(1).max(200).default(50) }),
    output: z.object({
      rows: z.array(itemRowSchema),
      /** Whether there are more than these. */
      hasMore: z.boolean(),
    }),
    errors: [],
  }),
};
