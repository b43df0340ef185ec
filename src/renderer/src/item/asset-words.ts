import type { AssetStorage } from '#shared/stac/asset-storage.ts';
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

const checksumNames: Readonly<Record<string, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  'sha3-224': 'SHA3-224',
  'sha3-256': 'SHA3-256',
  'sha3-384': 'SHA3-384',
  'sha3-512': 'SHA3-512',
  blake2b512: 'BLAKE2b',
  blake2s256: 'BLAKE2s',
};

/** What a file can be verified by. */
export function describeChecksum(checksum: string | null, kind: string | null): string {
  if (checksum === null) return 'none: only the size can be compared';
  return kind === null ? 'of a kind that Swath can’t compute' : (checksumNames[kind] ?? kind);
}

/** Where a file is stored and what reading it there means: `AWS · us-west-2 · requester pays`. */
export function describeStorage(storage: AssetStorage): string {
  const { platform, region, tier, isRequesterPays } = storage;
  const parts = [platform, region, tier, isRequesterPays === true ? 'requester pays' : null];
  return parts.filter((part) => part !== null).join(' · ') || 'not requester pays';
}
