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

/** How many Items of a job's record were evicted since. Cheap where none were: a window looks several times a second. */
export function countEvicted(library: Library, job: Parameters<typeof findRecord>[1]): number {
  const { searchNumber } = job;
  if (searchNumber === null || library.runs.countEvicted(searchNumber) === 0) return 0;
  return findRecord(library, job)?.evictedCount ?? 0;
}
