import { z } from 'zod';
import { describePlace } from './describe-search.ts';
import { localFilterSchema, type LocalFilter } from './local-filter.ts';
import { toQueryKey } from './query-key.ts';
import { searchQuerySchema, type SearchQuery } from './search-query.ts';

/** A question in short, for lists: without the shape of its area, which may be megabytes long. */
export const questionOutlineSchema = z.object({
  query: searchQuerySchema.omit({ intersects: true }),
  /** Its place in words; null where it has none. */
  place: z.string().nullable(),
  localFilter: localFilterSchema.nullable(),
  /** The same for the same question (`toQuestionKey`). */
  key: z.string(),
});

/** A question in short. */
export type QuestionOutline = z.infer<typeof questionOutlineSchema>;

interface Question {
  query: SearchQuery;
  localFilter: LocalFilter | null;
}

/** A question without what makes it long. */
export function outlineQuestion(question: Question): QuestionOutline {
  const { query, localFilter } = question;
  const { intersects: _, ...rest } = query;
  return { query: rest, place: describePlace(query), localFilter, key: toQuestionKey(question) };
}

/** Short text for telling questions apart; the same for the same question, whatever its area's length. */
export function toQuestionKey({ query, localFilter }: Question): string {
  return hash53(`${toQueryKey(query)} ${String(localFilter?.cloudCoverBelow ?? '')}`).toString(36);
}

// Two multiplicative hashes of 32 bits (cyrb53): a window has no hash that answers at once.
function hash53(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixedHigh = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  const mixedLow = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 2 ** 32 * (0x1fffff & mixedLow) + (mixedHigh >>> 0);
}
