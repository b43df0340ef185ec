import type { ItemPage } from '../../catalog/catalog-client.ts';

/** Who answers: the catalog, the library in its place, or the library with what a past search brought. */
export type AnswerOrigin = 'catalog' | 'library' | 'record';

/** One page of an answer, and as of when it is. */
export interface AnswerPage extends ItemPage {
  /** When the newest of its Items came from the catalog, in milliseconds since 1970 UTC; null for none. */
  newestMs: number | null;
  oldestMs: number | null;
}

/** Where the pages of an answer come from, one after the other. */
export interface AnswerSource {
  readonly origin: AnswerOrigin;
  next(signal: AbortSignal): Promise<AnswerPage>;
  /** Whether another page is offered. */
  readonly hasMore: boolean;
  /** Whether the catalog's pages came to no end, so that Items may be missing. */
  readonly isIncomplete: boolean;
}
