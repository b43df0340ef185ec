import { toQuestionKey, type QuestionOutline } from '#shared/search/question-outline.ts';
import { searchQuerySchema, type SearchQuery } from '#shared/search/search-query.ts';

/** A test whether a question is among those that are pinned, by their query keys: it is asked for each row. */
export function createPinTest(queryKeys: readonly string[]): (outline: QuestionOutline) => boolean {
  const queries = queryKeys.flatMap(readQuery);
  // An outline's key tells of the local filter too, which a pin doesn't know.
  const keysByLimit = new Map<number | null, ReadonlySet<string>>();
  return ({ key, localFilter }) => {
    const limit = localFilter?.cloudCoverBelow ?? null;
    const keys =
      keysByLimit.get(limit) ?? new Set(queries.map((query) => toQuestionKey({ query, localFilter })));
    keysByLimit.set(limit, keys);
    return keys.has(key);
  };
}

// A key is the question's JSON; one that another version wrote may not read any more.
function readQuery(queryKey: string): SearchQuery[] {
  try {
    return [searchQuerySchema.parse(JSON.parse(queryKey))];
  } catch {
    return [];
  }
}
