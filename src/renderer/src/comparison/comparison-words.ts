import { describeEvicted } from '#shared/search/describe-evicted.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatClock } from '../format/format-time.ts';
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

/** Why a difference may mean nothing, a sentence each; none when both searches brought all there was, and it is here. */
export function describeCaveats({ older, newer }: { older: Run; newer: Run }): string[] {
  return [
    ...describeCut({ older, newer }),
    ...describeEvicted({ older: older.evictedCount, newer: newer.evictedCount }),
  ];
}

function describeCut({ older, newer }: { older: Run; newer: Run }): string[] {
  if (older.isComplete && newer.isComplete) return [];
  const which = older.isComplete
    ? 'The later search was'
    : newer.isComplete
      ? 'The earlier search was'
      : 'Both were';
  return [`${which} cut before the end: what is new or gone may only lie beyond the cut.`];
}

/** When each search was asked and what it brought; those of the same minute are told apart by their seconds. */
export function describeRuns(runs: readonly Run[], now: Date): string[] {
  const minutes = runs.map(({ askedAt }) => formatClock(askedAt, now));
  return runs.map(({ askedAt, count }, index) => {
    const hasSeconds = minutes.some((minute, other) => other !== index && minute === minutes[index]);
    return `${formatClock(askedAt, now, { hasSeconds })} · ${formatPlural(count, 'item')}`;
  });
}
