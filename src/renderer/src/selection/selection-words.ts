import { formatBytes } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import type { AssetTotal } from '../state/asset-choice-state.svelte.ts';

const maxNamed = 4;

/** The chosen assets in a line: `visual, B04, B08, SCL`, `visual, B04, B08 and 9 more`. */
export function nameChosen({
  chosenKeys,
  chosenKeyCount,
}: Pick<AssetTotal, 'chosenKeys' | 'chosenKeyCount'>): string {
  if (chosenKeyCount <= maxNamed) return chosenKeys.join(', ');
  const named = chosenKeys.slice(0, maxNamed - 1);
  return `${named.join(', ')} and ${formatCount(chosenKeyCount - named.length)} more`;
}

/** How much is known: `2.31 GB + 2 unknown`, `size unknown`. */
export function describeBytes(size: { knownBytes: number; unknownCount: number }): string {
  const { knownBytes, unknownCount } = size;
  if (unknownCount === 0) return formatBytes(knownBytes);
  return knownBytes === 0
    ? 'size unknown'
    : `${formatBytes(knownBytes)} + ${formatCount(unknownCount)} unknown`;
}

/** `12 files, 2.31 GB + 2 unknown`. */
export function describeFiles(total: Pick<AssetTotal, 'fileCount' | 'knownBytes' | 'unknownCount'>): string {
  return `${formatPlural(total.fileCount, 'file')}, ${describeBytes(total)}`;
}

/** Which picked items are not in the list, and why; empty when all are. */
export function describeUnseen(counts: { picked: number; shown: number; inAnswer: number }): string {
  const { picked, shown, inAnswer } = counts;
  const hidden = inAnswer - shown;
  const elsewhere = picked - inAnswer;
  const ofPicked = `of ${formatCount(picked)} picked`;
  const parts = [
    hidden > 0 ? `${formatCount(hidden)} ${ofPicked} ${are(hidden)} hidden by filters` : null,
    elsewhere > 0 ? `${formatCount(elsewhere)} ${ofPicked} ${are(elsewhere)} from another search` : null,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** What is chosen and can't be downloaded, or isn't there, in sentences. */
export function describeShortfalls(total: AssetTotal): string[] {
  const { withoutCount, directoryCount, unsupportedCount, fileCount, idlePatterns } = total;
  const sentences: (string | null)[] = [
    idlePatterns.length > 0 ? `No asset is called ${idlePatterns.join(' or ')}.` : null,
    fileCount > 0 && withoutCount > 0
      ? `${formatPlural(withoutCount, 'item')} ${withoutCount === 1 ? 'has' : 'have'} none of these assets.`
      : null,
    directoryCount > 0
      ? `${formatPlural(directoryCount, 'asset')} left out: folders can’t be downloaded as files.`
      : null,
    unsupportedCount > 0
      ? `${formatPlural(unsupportedCount, 'asset')} left out: no link that Swath can follow.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null);
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
