import type { DifferenceKind, Run } from '../state/comparison-state.svelte.ts';

/** What became of items between two searches, in words. */
export const kindWords: Record<DifferenceKind, { name: string; meaning: string; none: string }> = {
  added: { name: 'New', meaning: 'Only the later search brought these.', none: 'Nothing is new' },
  changed: {
    name: 'Changed',
    meaning: 'Both brought these, with another content. The newest is shown.',
    none: 'Nothing has changed',
  },
  missing: { name: 'Gone', meaning: 'Only the earlier search brought these.', none: 'Nothing is gone' },
};

/** Why a difference may mean nothing; null when both searches brought all there was. */
export function describeCaveat({ older, newer }: { older: Run; newer: Run }): string | null {
  if (older.isComplete && newer.isComplete) return null;
  const which = older.isComplete
    ? 'The later search was'
    : newer.isComplete
      ? 'The earlier search was'
      : 'Both were';
  return `${which} cut before the end: what is new or gone may only lie beyond the cut.`;
}
