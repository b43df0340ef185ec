import { z } from 'zod';
import { localFilterSchema } from '../../search/local-filter.ts';
import { searchQuerySchema } from '../../search/search-query.ts';
import { itemRowSchema } from '../../stac/item-row.ts';
import { query } from '../define-contract.ts';
import { catalogErrors } from './common.ts';
import { pastRunSchema } from './saved.ts';

/** One answer of a search: the rows that came, and what is known about the rest. */
const searchPage = z.object({
  /** Names this search for `search.more`; unknown again after the program restarts. */
  searchId: z.string(),
  /** What is left of the catalog's page after the local filter: it may be none although there is more. */
  rows: z.array(itemRowSchema),
  /** Items of this page that the local filter left out. */
  leftOutCount: z.number().int(),
  /** Places in `rows` of items that no earlier look at the saved search had; none where it is not one. */
  newIndexes: z.array(z.number().int()),
  /** When the saved search was looked at before, RFC 3339; null where it is not one, or never was. */
  newSince: z.string().nullable(),
  /** Total that the catalog announces, often an estimate; null when it doesn't say. Knows nothing of the local filter. */
  matched: z.number().int().nullable(),
  /** Whether the catalog offers another page. */
  hasMore: z.boolean(),
  /** Whether the catalog's pages came to no end (a circle, or only empty ones), so that Items may be missing although no more are offered. */
  isIncomplete: z.boolean(),
  /** Items that could not be taken, each with its reason. */
  skipped: z.array(z.object({ reason: z.string() })),
  /** Who answered: the catalog, the library in its place, or the library with what a past search brought. */
  origin: z.enum(['catalog', 'library', 'record']),
  /** The file that the past search came in; null for what was asked. */
  fileName: z.string().nullable(),
  /** When the catalog answered, or gave the newest of the rows so far, or was asked the past search. RFC 3339. */
  asOf: z.string(),
  /** When the catalog gave the oldest of the rows so far, RFC 3339. */
  oldestAsOf: z.string(),
  /**
   * As of when the library is known to hold all there is, for each collection asked for (null: for all at once); null
   * where only what happened to be seen is here. `outlinesAsOf` is the same for Items whose outline reaches into the box
   * asked for, not their box alone. Null unless the library answered.
   */
  coverage: z
    .array(
      z.object({
        collectionId: z.string().nullable(),
        asOf: z.string().nullable(),
        outlinesAsOf: z.string().nullable(),
      }),
    )
    .nullable(),
});

const columnSummary = z.object({
  /** Of a property, as the catalog writes it. */
  name: z.string(),
  /** `time`: text of which every value is an RFC 3339 timestamp. */
  kind: z.enum(['number', 'text', 'boolean', 'time']),
  /** Rows that have a value. */
  presentCount: z.number().int(),
});

/** How far the columns reach: properties of the first `coveredCount` rows are kept, the others' took too much memory. */
const coverage = { rowCount: z.number().int(), coveredCount: z.number().int() };

const searchErrors = [
  ...catalogErrors,
  'stac.query-rejected',
  'stac.collection-not-found',
  'library.question-unsupported',
] as const;

/** Asking the catalog, or the library in its place. */
export const searchContract = {
  run: query({
    input: z.object({
      query: searchQuerySchema,
      localFilter: localFilterSchema.nullable().default(null),
      /** The saved search that this is a look at. */
      savedSearchId: z.number().int().nullable().default(null),
      /** Who is to answer. `auto`: the catalog; the library while that can't be reached. */
      from: z.enum(['auto', 'catalog', 'library']).default('auto'),
    }),
    output: searchPage,
    errors: [...searchErrors, 'saved.not-found'],
  }),
  /** The next page of a search that `run` began. */
  more: query({
    input: z.object({
      searchId: z.string(),
      /** Rows that the caller has: a page that was cancelled on its way comes again. Null: simply the next one. */
      afterRows: z.number().int().min(0).nullable().default(null),
      /** Whether the library is to answer what the catalog hasn't answered yet. */
      fromLibrary: z.boolean().default(false),
    }),
    output: searchPage,
    errors: searchErrors,
  }),
  /** What a past search brought, as it did: its first page. Nothing is asked of the catalog. */
  openPast: query({
    input: z.object({ searchNumber: z.number().int() }),
    output: searchPage,
    errors: ['saved.not-found'],
  }),
  /**
   * What is different between two runs of a question: as rows those that only the newer one brought, then those that are
   * in both with another content, then those that only the older one brought.
   */
  compare: query({
    input: z.object({ olderNumber: z.number().int(), newerNumber: z.number().int() }),
    output: z.object({
      page: searchPage,
      older: pastRunSchema,
      newer: pastRunSchema,
      addedCount: z.number().int(),
      changedCount: z.number().int(),
      missingCount: z.number().int(),
    }),
    errors: ['saved.not-found'],
  }),
  /** The properties that the rows given so far have. */
  columns: query({
    input: z.object({ searchId: z.string() }),
    output: z.object({ columns: z.array(columnSummary), ...coverage }),
    errors: [],
  }),
  /** One property of all rows given so far, in their order; null where a row has none. */
  column: query({
    input: z.object({ searchId: z.string(), name: z.string().max(1000) }),
    output: z.object({
      values: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
      ...coverage,
    }),
    errors: [],
  }),
};
