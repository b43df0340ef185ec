import type { PrintSummary } from './print-items.ts';

/** What was printed of a search, in a sentence. */
export function describeSummary(summary: PrintSummary): string {
  const { items, matched, pages, skipped, leftOut, seenBefore } = summary;
  // A catalog that gave more than it said was wrong about it.
  const isTotalKnown = matched !== null && items + leftOut <= matched;
  const total = isTotalKnown && seenBefore === null ? ` of ${String(matched)} matched` : '';
  return [
    `${seenBefore === null ? count(items, 'item') : count(items, 'new item')}${total} in ${count(pages, 'page')}`,
    `${String(skipped.length)} skipped`,
    ...(leftOut > 0 ? [`${String(leftOut)} with too much cloud left out here`] : []),
    ...(seenBefore ? [`${String(seenBefore)} seen before`] : []),
  ].join(', ');
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
