import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { learnFromSuccess, type CatalogFact } from '#shared/search/catalog-facts.ts';
import { findCulprit, learnFromCulprit, type Culprit } from '#shared/search/find-culprit.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';

/**
 * Waits for the answer to a question and hands `note` what it teaches about the catalog. A refusal comes out naming the
 * part that is to blame, where that is clear: `details.property` and `details.operator`, or `details.order`.
 */
export async function learnFromAnswer<Answer>(
  query: SearchQuery,
  answer: Promise<Answer>,
  note: (facts: readonly CatalogFact[]) => void,
): Promise<Answer> {
  try {
    const value = await answer;
    note(learnFromSuccess(query));
    return value;
  } catch (thrown) {
    if (!isAppError(thrown, 'stac.query-rejected')) throw thrown;
    const { reason } = thrown.details;
    const culprit = findCulprit(query, typeof reason === 'string' ? reason : '');
    if (!culprit) throw thrown;
    note(learnFromCulprit(culprit));
    throw new AppError(thrown.code, thrown.message, {
      details: { ...thrown.details, ...describe(culprit) },
      cause: thrown,
    });
  }
}

function describe(culprit: Culprit): Record<string, string> {
  if (culprit.kind === 'order') return { order: `${culprit.field} ${culprit.direction}` };
  return { property: culprit.property, operator: culprit.operator };
}
