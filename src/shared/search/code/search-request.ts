import type { LocalFilter } from '../local-filter.ts';
import type { SearchQuery } from '../search-query.ts';

/** A whole question, to be written down as a program. */
export interface SearchRequest {
  query: SearchQuery;
  /** What is applied to the answer, not by the service. */
  localFilter: LocalFilter | null;
  /** Items overall; null is all. */
  maxItems: number | null;
  /** The catalog's address, without a slash at its end. */
  baseUrl: string;
  /** Whether the catalog asks for an access token, which is read from the environment: `SWATH_TOKEN`. */
  needsToken: boolean;
}
