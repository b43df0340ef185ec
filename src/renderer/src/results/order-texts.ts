import type { TextCount } from '../state/results-facets.ts';
import { builtIn, cloudBandTexts } from '../state/results-table.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** The choices of a facet in an order that stays while counts change; "no value" comes last. */
export function orderTexts(column: string, counts: readonly TextCount[]): TextCount[] {
  return counts.toSorted((a, b) => {
    if (a.text === null || b.text === null) return a.text === b.text ? 0 : a.text === null ? 1 : -1;
    if (column === builtIn.cloudBand) return cloudBandTexts.indexOf(a.text) - cloudBandTexts.indexOf(b.text);
    return collator.compare(a.text, b.text);
  });
}
