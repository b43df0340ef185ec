import { damaged } from './basemap-error.ts';
import type { TileAddress } from './tile-set.ts';

/** A tile, or as many equal ones as `runLength` says; a leaf directory where that is 0. */
export interface DirectoryEntry {
  tileId: number;
  offset: number;
  length: number;
  runLength: number;
}

// An entry takes four numbers of at least one byte each, so a directory can't hold more than a quarter of its bytes.
const minEntryBytes = 4;

/** The entries of an unpacked directory (PMTiles v3, section 4). @throws AppError `basemap.unreadable` */
export function readDirectory(bytes: Buffer): DirectoryEntry[] {
  let position = 0;
  const read = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[position++];
      if (byte === undefined) throw damaged('Its directory of tiles ends too early.');
      value += (byte & 0x7f) * factor;
      if (!Number.isSafeInteger(value)) throw damaged('Its directory of tiles has a number without sense.');
      if (byte < 0x80) return value;
    }
  };
  const count = read();
  if (count > bytes.length / minEntryBytes) throw damaged('Its directory of tiles is shorter than it says.');
  const entries: DirectoryEntry[] = Array.from({ length: count }, () => ({
    tileId: 0,
    offset: 0,
    length: 0,
    runLength: 1,
  }));
  let tileId = 0;
  for (const entry of entries) entry.tileId = tileId += read();
  for (const entry of entries) entry.runLength = read();
  for (const entry of entries) entry.length = read();
  let previousEnd = 0;
  for (const entry of entries) {
    const value = read();
    // 0: right after the entry before.
    entry.offset = value === 0 ? previousEnd : value - 1;
    previousEnd = entry.offset + entry.length;
  }
  return entries;
}

/** The entry that a tile, or the leaf with it, is in; null when there is none. */
export function findEntry(directory: readonly DirectoryEntry[], tileId: number): DirectoryEntry | null {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((directory[middle]?.tileId ?? Infinity) <= tileId) low = middle + 1;
    else high = middle;
  }
  const entry = directory[low - 1];
  if (!entry) return null;
  return entry.runLength === 0 || tileId < entry.tileId + entry.runLength ? entry : null;
}

/** The number of a tile: those of all lower zooms first, then its place along the Hilbert curve of its own. */
export function toTileId({ z, x: column, y: row }: TileAddress): number {
  let tileId = (4 ** z - 1) / 3;
  let x = column;
  let y = row;
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = Math.floor(x / side) % 2;
    const down = Math.floor(y / side) % 2;
    tileId += side * side * ((3 * right) ^ down);
    // The curve is turned in each quarter.
    if (down === 0) {
      if (right === 1) {
        x = side - 1 - (x % side);
        y = side - 1 - (y % side);
      }
      [x, y] = [y, x];
    }
  }
  return tileId;
}
