import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { snappyUncompress } from 'hyparquet';
import { tooLarge } from '../exchange-error.ts';
import { exchangeLimits } from '../limits.ts';

type Unpack = (packed: Uint8Array, sizeBytes: number) => Uint8Array;

const bytesOf = (buffer: Buffer): Uint8Array =>
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

/** What unpacks the pages of a Parquet file: never more than a page may have, whatever its header says. */
export const unpackers = {
  SNAPPY: limited((packed, sizeBytes) => {
    const page = new Uint8Array(sizeBytes);
    snappyUncompress(packed, page);
    return page;
  }),
  GZIP: limited((packed, maxOutputLength) => bytesOf(gunzipSync(packed, { maxOutputLength }))),
  ZSTD: limited((packed, maxOutputLength) => bytesOf(zstdDecompressSync(packed, { maxOutputLength }))),
  BROTLI: limited((packed, maxOutputLength) => bytesOf(brotliDecompressSync(packed, { maxOutputLength }))),
};

function limited(unpack: Unpack): Unpack {
  return (packed, sizeBytes) => {
    const { pageBytes, ratioFreeBytes, unpackRatio } = exchangeLimits;
    const isSuspicious = sizeBytes > ratioFreeBytes && sizeBytes / Math.max(1, packed.length) > unpackRatio;
    if (!(sizeBytes >= 0) || sizeBytes > pageBytes || isSuspicious) {
      throw tooLarge({
        why: `A part of ${String(packed.length)} bytes unpacks to ${String(Math.ceil(sizeBytes / 1e6))} MB.`,
        mend: 'No real file is like that. Write it again with smaller pages, or take it from somewhere else.',
      });
    }
    return sizeBytes === 0 ? new Uint8Array(0) : unpack(packed, sizeBytes);
  };
}
