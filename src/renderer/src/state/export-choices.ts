import { formatPlural } from '../format/format-number.ts';
import type { ExportChoice } from './exchange-state.svelte.ts';
import type { ResultsState } from './results-state.svelte.ts';
import type { PastSearch } from './saved-state.svelte.ts';
import type { SearchState } from './search-state.svelte.ts';
import type { SelectionState } from './selection-state.svelte.ts';

interface Parts {
  search: SearchState;
  results: ResultsState;
  selection: SelectionState;
}

/** What of the window can be written to a file: the rows that are shown, then the picked items. */
export function listExportChoices({ search, results, selection }: Parts): ExportChoice[] {
  const { result } = search;
  const choices: ExportChoice[] = [];
  if (result && results.shown.length > 0) {
    choices.push({
      label: formatPlural(results.shown.length, 'shown item'),
      source: { kind: 'answer', searchId: result.searchId, places: results.places },
      fileName: nameFile(new Set(results.shown.map(({ collectionId }) => collectionId)), result.asOf),
      // The oldest row's: what the library has since then is fresher than the file.
      asOf: result.oldestAsOf,
    });
  }
  if (selection.pickedCount > 0) {
    const refs = selection.picked.map(({ collectionId, itemId }) => ({ collectionId, itemId }));
    choices.push({
      label: formatPlural(refs.length, 'picked item'),
      source: { kind: 'items', refs },
      fileName: nameFile(new Set(refs.map(({ collectionId }) => collectionId)), new Date().toISOString()),
      asOf: null,
    });
  }
  return choices;
}

/** What a past search brought, to be written to a file. */
export function exportOfPast(past: Pick<PastSearch, 'searchNumber' | 'count' | 'askedAt'>): ExportChoice {
  const { searchNumber, count, askedAt } = past;
  return {
    label: formatPlural(count, 'item'),
    source: { kind: 'past', searchNumber },
    fileName: `search ${askedAt.slice(0, 10)}`,
    asOf: askedAt,
  };
}

/** All that the library has of a collection, to be written to a file. */
export function exportOfCollection(one: { collectionId: string; itemCount: number }): ExportChoice {
  const { collectionId, itemCount } = one;
  return {
    label: formatPlural(itemCount, 'item'),
    source: { kind: 'collection', collectionId },
    fileName: collectionId,
    asOf: null,
  };
}

/** All that the library has, to be written to a file. */
export const exportOfLibrary: ExportChoice = {
  label: 'the whole library',
  source: { kind: 'library' },
  fileName: 'library',
  asOf: null,
};

/** `sentinel-2-l2a 2026-05-01` */
function nameFile(collectionIds: ReadonlySet<string>, moment: string): string {
  const [single, second] = collectionIds;
  return `${single !== undefined && second === undefined ? single : 'items'} ${moment.slice(0, 10)}`;
}
