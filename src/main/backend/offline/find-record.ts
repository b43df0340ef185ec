import { toQuestionKey } from '#shared/search/question-outline.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { toWholeQuery } from './whole-query.ts';

/**
 * The record of what a job brought; null before its first page, and where it was forgotten. By its question too: the
 * library gives the number of a record that was forgotten to another one.
 */
export function findRecord(
  library: Library,
  { question, searchNumber }: { question: SavedQuestion; searchNumber: number | null },
): PastSearch | null {
  const past = searchNumber === null ? null : library.pastSearch(searchNumber);
  const key = toQuestionKey({ ...question, query: toWholeQuery(question.query) });
  return past && toQuestionKey(past) === key ? past : null;
}
