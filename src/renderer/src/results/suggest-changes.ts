import type { SearchResult } from '../state/search-state.svelte.ts';
import { toDatetime } from '../state/draft-time.ts';
import type { SearchDraft } from '../state/search-draft.ts';

/** What is to be said where nothing matched: of a library that may lack what the catalog has it proves little. */
export function describeNothing(
  { coverage }: Pick<SearchResult, 'coverage'>,
  draft: SearchDraft,
): { title: string; hint: string } {
  const isProved = coverage === null || coverage.every(({ asOf }) => asOf !== null);
  if (isProved) return { title: 'Nothing matches', hint: suggestChanges(draft) };
  const title = 'Nothing in the library matches';
  if (coverage.every(({ outlinesAsOf }) => outlinesAsOf !== null)) {
    const hint =
      'The catalog may have items whose bounding box alone reaches into the area; no footprint does.';
    return { title, hint };
  }
  return {
    title,
    hint: 'Only what was seen is here, and the catalog may have more. Ask again when it can be reached, or change the question.',
  };
}

/** What to change in a question that nothing matched, in the order in which it usually helps. */
function suggestChanges(draft: SearchDraft): string {
  const ways = [
    draft.cloud.isLimited && 'allow more cloud',
    draft.conditions.length > 0 && 'take a condition away',
    toDatetime(draft.time) !== undefined && 'take a longer time',
    draft.area.kind !== 'everywhere' && 'take a larger area',
    draft.collectionIds.length > 0 && 'add a collection',
  ].filter((way) => way !== false);
  if (ways.length === 0) return 'The catalog has no items.';
  const [last = '', ...others] = ways.reverse();
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}, then search again.`;
}
