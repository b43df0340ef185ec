import { z } from 'zod';
import { questionOutlineSchema } from '../../search/question-outline.ts';
import { savedNameSchema, savedQuestionSchema } from '../../search/saved-question.ts';
import { command, query, stream } from '../define-contract.ts';
import { catalogErrors, nothing } from './common.ts';

const savedSearchId = z.number().int();

/** Items never seen in a look at a saved search. */
const newItems = z.object({
  count: z.number().int(),
  /** Whether there may be more: the catalog was asked for a few pages only. */
  isAtLeast: z.boolean(),
  /** The look that they came after, RFC 3339; the moment of saving when there was none. */
  since: z.string(),
  checkedAt: z.string(),
});

const savedSearch = z.object({
  savedSearchId,
  name: z.string(),
  outline: questionOutlineSchema,
  /** RFC 3339 */
  createdAt: z.string(),
  /** The last look at its answer, RFC 3339; null before the first. */
  lookedAt: z.string().nullable(),
  /** What the last check found, until the next look; null when it wasn't checked since the last one. */
  news: newItems.nullable(),
});

/** The rows of an open search, from the first, that a person has been shown. */
const shownRows = { searchId: z.string(), shownCount: z.number().int().min(0) };

/** A search that was made, without what it asked. */
export const pastRunSchema = z.object({
  searchNumber: z.number().int(),
  /** Items that were taken, less those that the local filter left out. */
  count: z.number().int(),
  /** How many of these the library has no more. */
  evictedCount: z.number().int(),
  /** The catalog's own total; null when it didn't say. */
  matched: z.number().int().nullable(),
  /** Whether all pages came, without gaps. */
  isComplete: z.boolean(),
  /** RFC 3339 */
  askedAt: z.string(),
});

/** Searches that a person saved, and those that were made. Of the catalog in use. */
export const savedContract = {
  /** All saved searches by name; run one with `search.run`. */
  watch: stream({ input: nothing, event: z.object({ searches: z.array(savedSearch) }), errors: [] }),
  /** Saves a question. What was shown of its answer counts as seen. */
  save: command({
    input: z.object({
      name: savedNameSchema,
      question: savedQuestionSchema,
      shown: z.object(shownRows).nullable(),
    }),
    output: savedSearch,
    errors: ['saved.name-taken'],
  }),
  rename: command({
    input: z.object({ savedSearchId, name: savedNameSchema }),
    output: nothing,
    errors: ['saved.not-found', 'saved.name-taken'],
  }),
  remove: command({ input: z.object({ savedSearchId }), output: nothing, errors: ['saved.not-found'] }),
  /** Undoes `remove`, as long as the program runs and for an hour after. */
  restore: command({
    input: z.object({ savedSearchId }),
    output: nothing,
    errors: ['saved.not-found', 'saved.name-taken'],
  }),
  /** What a saved search asks, to be asked again. */
  question: query({
    input: z.object({ savedSearchId }),
    output: savedQuestionSchema,
    errors: ['saved.not-found'],
  }),
  /** Takes note that a person has been shown these rows: they are not new in the next look. */
  markSeen: command({
    input: z.object({ savedSearchId, ...shownRows }),
    output: nothing,
    errors: ['saved.not-found'],
  }),
  /** Asks the catalog for the newest pages and counts what no look has had. One check goes after the other. */
  check: command({
    input: z.object({ savedSearchId }),
    output: newItems,
    errors: [...catalogErrors, 'stac.query-rejected', 'stac.collection-not-found', 'saved.not-found'],
  }),
  /** Searches that were made, newest first, each question once. */
  history: query({
    input: z.object({ limit: z.number().int().min(1).max(500).default(50) }),
    output: z.object({
      searches: z.array(
        pastRunSchema.extend({
          outline: questionOutlineSchema,
          /** How often this question was asked; runs can be compared. */
          runCount: z.number().int(),
          /** The file that it came in; null for one that was asked. */
          fileName: z.string().nullable(),
        }),
      ),
    }),
    errors: [],
  }),
  /** All runs of the same question, newest first. */
  runs: query({
    input: z.object({ searchNumber: z.number().int() }),
    output: z.object({ runs: z.array(pastRunSchema) }),
    errors: [],
  }),
  /** What a search that was made asked. */
  pastQuestion: query({
    input: z.object({ searchNumber: z.number().int() }),
    output: savedQuestionSchema.omit({ maxItems: true }),
    errors: ['saved.not-found'],
  }),
};
