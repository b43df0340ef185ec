import { tick } from 'svelte';

/**
 * For an effect that runs before the window changes: where the focus would be lost with what goes from a place, `goOn` gives it
 * to something else. `_cause` is what the place looks different by.
 */
export function keepFocus(place: HTMLElement | null | undefined, _cause: unknown, goOn: () => void): void {
  if (!place?.contains(document.activeElement)) return;
  void tick().then(() => {
    if (document.activeElement === document.body) goOn();
  });
}
