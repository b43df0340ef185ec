import type { AppState } from './app-state.svelte.ts';
import { viewNames, type ViewName } from './view-names.ts';

const storageKey = 'swath.view';

/**
 * Keeps which view is shown where it outlives the page, so that a window that is loaded anew comes back where it was. To
 * be called while a component is made, with the page's own storage.
 */
export function keepView(
  app: Pick<AppState, 'view' | 'show'>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): void {
  const kept = storage.getItem(storageKey);
  const view = viewNames.find((name): name is ViewName => name === kept);
  if (view !== undefined) app.show(view);
  $effect(() => storage.setItem(storageKey, app.view));
}
