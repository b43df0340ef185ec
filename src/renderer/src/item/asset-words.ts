import { formatBytes } from '../format/format-bytes.ts';
import { formatPlural } from '../format/format-number.ts';
import type { AssetView } from '../state/item-state.svelte.ts';

/** Why an asset can't be downloaded; null when it can. */
export function explainUnavailable({ availability }: Pick<AssetView, 'availability'>): string | null {
  switch (availability) {
    case 'downloadable':
      return null;
    case 'directory':
      return 'A folder, not a file: it can’t be downloaded as one';
    case 'unsupported-scheme':
      return 'No link that Swath can follow';
  }
}

/** How much a choice of assets is: `512 MB + 2 unknown`. */
export function describeTotal(assets: readonly Pick<AssetView, 'sizeBytes'>[]): string {
  const known = assets.flatMap(({ sizeBytes }) => (sizeBytes === null ? [] : [sizeBytes]));
  const unknownCount = assets.length - known.length;
  const total = formatBytes(known.reduce((sum, sizeBytes) => sum + sizeBytes, 0));
  if (unknownCount === 0) return total;
  return known.length === 0 ? 'size unknown' : `${total} + ${unknownCount} unknown`;
}

/** `4 assets · 512 MB + 2 unknown`. */
export function describeChoice(assets: readonly Pick<AssetView, 'sizeBytes'>[]): string {
  return `${formatPlural(assets.length, 'asset')} · ${describeTotal(assets)}`;
}
