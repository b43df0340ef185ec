import { readVarint, type Entry } from 'pmtiles';
import { damaged } from './basemap-error.ts';

// An entry takes four numbers of at least one byte each, so a directory can't hold more than a quarter of its bytes.
const minEntryBytes = 4;

/**
 * The entries of an unpacked directory (PMTiles v3, section 4). The package's own reader believes the number of entries
 * that a file states; this one does not.
 * @throws AppError `basemap.unreadable`
 */
export function readDirectory(bytes: Buffer): Entry[] {
  const position = { buf: bytes, pos: 0 };
  const read = (): number => {
    if (position.pos >= bytes.length) throw damaged('Its directory of tiles ends too early.');
    const value = readVarint(position);
    if (!Number.isSafeInteger(value)) throw damaged('Its directory of tiles has a number without sense.');
    return value;
  };
  const count = read();
  if (count > bytes.length / minEntryBytes) throw damaged('Its directory of tiles is shorter than it says.');
  const entries: Entry[] = Array.from({ length: count }, () => ({
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
