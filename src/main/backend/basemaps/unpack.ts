import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { damaged, unreadable } from './basemap-error.ts';

/** How bytes are packed; `unknown` is told by their first bytes. */
export type Packing = 'unknown' | 'none' | 'gzip' | 'brotli' | 'zstd';

/** Bytes as they were before they were packed, never more than the limit. @throws AppError `basemap.unreadable` */
export function unpack(bytes: Buffer, packing: Packing, maxBytes: number): Buffer {
  const unpacker = unpackerFor(bytes, packing);
  if (unpacker === null) {
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
  try {
    return unpacker(bytes, { maxOutputLength: maxBytes });
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw damaged('A part of it can’t be unpacked.');
  }
}

function unpackerFor(bytes: Buffer, packing: Packing) {
  if (packing === 'brotli') return brotliDecompressSync;
  if (packing === 'zstd') return zstdDecompressSync;
  if (packing === 'gzip') return gunzipSync;
  if (packing === 'none') return null;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync;
  // A vector tile begins with 0x1a, so this can only be zlib.
  return bytes[0] === 0x78 ? inflateSync : null;
}

function tooLarge(maxBytes: number) {
  return unreadable({
    why: `A part of it is larger than ${String(maxBytes / 1024 / 1024)} MB.`,
    mend: 'Make the basemap with smaller tiles.',
  });
}
