import type { PackCounts, PackOutcome } from '#shared/pack/pack-choice.ts';
import { formatPlural } from '../format/format-number.ts';

/** `1,180 items, 2 searches, 30 pictures, 4 files and a map`. */
export function describeCounts({ items, searches, thumbnails, files, basemaps }: PackCounts): string {
  const parts = [
    formatPlural(items, 'item'),
    ...(searches > 0 ? [formatPlural(searches, 'search', 'searches')] : []),
    ...(thumbnails > 0 ? [formatPlural(thumbnails, 'picture')] : []),
    ...(files > 0 ? [formatPlural(files, 'file')] : []),
    ...(basemaps > 0 ? ['a map'] : []),
  ];
  return joinWords(parts);
}

/** What was taken in, in a sentence or two. */
export function describeOutcome(outcome: PackOutcome): string {
  const { itemsTaken, itemsKept, searchesTaken, thumbnailsTaken, filesTaken, filesKept } = outcome;
  const taken = [
    ...(itemsTaken > 0 ? [formatPlural(itemsTaken, 'item')] : []),
    ...(searchesTaken > 0 ? [formatPlural(searchesTaken, 'search', 'searches')] : []),
    ...(thumbnailsTaken > 0 ? [formatPlural(thumbnailsTaken, 'picture')] : []),
    ...(filesTaken > 0 ? [formatPlural(filesTaken, 'file')] : []),
    ...(outcome.basemapsTaken > 0 ? ['a map'] : []),
  ];
  const kept = [
    ...(itemsKept > 0 ? [formatPlural(itemsKept, 'item')] : []),
    ...(filesKept > 0 ? [formatPlural(filesKept, 'file')] : []),
  ];
  return [
    taken.length > 0 ? `Taken in: ${joinWords(taken)}.` : 'There was nothing new in it.',
    ...(outcome.basemapsTaken > 0 ? ['Choose it with the map’s “Basemap” button.'] : []),
    ...(kept.length > 0 ? [`Here already, as new or newer: ${joinWords(kept)}.`] : []),
  ].join(' ');
}

/** What is so when the placing of files was stopped. */
export const stoppedWhilePlacing =
  'Stopped. The library has the pack’s items, and the files that were placed stay. Open the pack again to bring the others.';

function joinWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
