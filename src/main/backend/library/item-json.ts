import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { StacItem } from '#shared/stac/item.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';

const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** An Item's JSON as it is stored, without signed links: some 4 kB become about 1 kB. */
export function packItem(item: StacItem): Buffer {
  const json = JSON.stringify(item);
  return zstdCompressSync(mayHoldSignedUrl(json) ? JSON.stringify(withoutSignedLinks(item)) : json, options);
}

/** The Item that was packed. */
export function unpackItem(packed: Buffer): StacItem {
  return JSON.parse(zstdDecompressSync(packed).toString()) as StacItem;
}
