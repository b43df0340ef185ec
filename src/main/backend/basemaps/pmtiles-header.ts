import { damaged, unreadable } from './basemap-error.ts';
import type { Packing } from './unpack.ts';

/** A stretch of the file. */
export interface Stretch {
  offset: number;
  length: number;
}

/** What the head of a PMTiles file says (version 3, section 3); none of it is checked against the file. */
export interface PmtilesHeader {
  root: Stretch;
  metadata: Stretch;
  leaves: Stretch;
  data: Stretch;
  /** How directories and metadata are packed. */
  internal: Packing;
  packing: Packing;
  /** 1 is vector, 2 PNG, 3 JPEG, 4 WebP. */
  tileType: number;
  minZoom: number;
  maxZoom: number;
  /** Degrees. */
  bounds: [west: number, south: number, east: number, north: number];
}

/** Bytes of the head. */
export const headerBytes = 127;

const packings: readonly Packing[] = ['unknown', 'none', 'gzip', 'brotli', 'zstd'];

/** Reads the head. @throws AppError `basemap.unreadable` for another version, or numbers without sense */
export function readHeader(bytes: Buffer): PmtilesHeader {
  if (bytes[7] !== 3) {
    throw unreadable({
      why: `It is PMTiles version ${String(bytes[7])}; only version 3 can be read.`,
      mend: 'Convert it with “pmtiles convert”.',
    });
  }
  const numberAt = (at: number): number => {
    const value = Number(bytes.readBigUInt64LE(at));
    if (!Number.isSafeInteger(value)) throw damaged('It ends before a part that it names.');
    return value;
  };
  const stretchAt = (at: number): Stretch => ({ offset: numberAt(at), length: numberAt(at + 8) });
  const degreesAt = (at: number): number => bytes.readInt32LE(at) / 1e7;
  return {
    root: stretchAt(8),
    metadata: stretchAt(24),
    leaves: stretchAt(40),
    data: stretchAt(56),
    internal: packings[bytes.readUInt8(97)] ?? 'unknown',
    packing: packings[bytes.readUInt8(98)] ?? 'unknown',
    tileType: bytes.readUInt8(99),
    minZoom: bytes.readUInt8(100),
    maxZoom: bytes.readUInt8(101),
    bounds: [degreesAt(102), degreesAt(106), degreesAt(110), degreesAt(114)],
  };
}
