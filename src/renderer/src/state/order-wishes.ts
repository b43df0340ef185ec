import { nameOrder } from './name-order.ts';
import type { CatalogState } from './catalog-state.svelte.ts';
import type { OrderWish } from './order-state.svelte.ts';
import type { ResultsState } from './results-state.svelte.ts';
import type { SavedState } from './saved-state.svelte.ts';
import type { SearchState } from './search-state.svelte.ts';
import type { SelectionState } from './selection-state.svelte.ts';

interface Parts {
  catalog: CatalogState;
  saved: SavedState;
  search: SearchState;
  results: ResultsState;
  selection: SelectionState;
}

/** What is to be downloaded, but for the assets. */
type Wish = Omit<OrderWish, 'choice'>;

/** Of the picked items. */
export function wishOfPicked({ catalog, selection }: Pick<Parts, 'catalog' | 'selection'>): Wish {
  const refs = selection.picked;
  return { refs, title: nameOrder(refs, (id) => catalog.titleOf(id)), origin: { kind: 'selection' } };
}

/** Of all shown items; those of a saved search are ordered under its name. */
export function wishOfShown({ catalog, saved, search, results }: Parts): Wish {
  const refs = results.shown;
  const name = saved.current?.name;
  return {
    refs,
    title: name ?? nameOrder(refs, (id) => catalog.titleOf(id)),
    origin: name === undefined ? { kind: 'search', itemCount: refs.length } : { kind: 'saved-search', name },
    isPart: search.result?.hasMore === true,
  };
}
