import { z } from 'zod';
import { searchQuerySchema } from '../../search/search-query.ts';
import { itemRowSchema } from '../../stac/item-row.ts';
import { query } from '../define-contract.ts';
import { catalogErrors } from './common.ts';

/** One answer of a search: the rows that came, and what is known about the rest. */
const searchPage = z.object({
  /** Names this search for `search.more`; unknown again after the program restarts. */
  searchId: z.string(),
  rows: z.array(itemRowSchema),
  /** Total that the catalog announces, often an estimate; null when it doesn't say. */
  matched: z.number().int().nullable(),
  /** Whether the catalog offers another page. */
  hasMore: z.boolean(),
  /** Whether the catalog's pages led in a circle, so that Items may be missing although no more are offered. */
  isIncomplete: z.boolean(),
  /** Items that could not be taken, each with its reason. */
  skipped: z.array(z.object({ reason: z.string() })),
  /** When the catalog answered, RFC 3339. */
  asOf: z.string(),
});

/** Asking the catalog. */
export const searchContract = {
  run: query({
    input: z.object({ query: searchQuerySchema }),
    output: searchPage,
    errors: [...catalogErrors, 'stac.query-rejected', 'stac.collection-not-found'],
  }),
  /** The next page of a search that `run` began. */
  more: query({
    input: z.object({ searchId: z.string() }),
    output: searchPage,
    errors: [...catalogErrors, 'stac.query-rejected'],
  }),
};
