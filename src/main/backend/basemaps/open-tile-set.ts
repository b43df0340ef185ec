import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { unreadable } from './basemap-error.ts';
import { openMbtiles } from './open-mbtiles.ts';
import { openPmtiles } from './open-pmtiles.ts';
import type { TileSet } from './tile-set.ts';

/** Opens a file of tiles; what it is, its first bytes tell. @throws AppError `basemap.unreadable` */
export function openTileSet(filePath: string): TileSet {
  const head = readHead(filePath);
  if (head.startsWith('PMTiles')) return openPmtiles(filePath);
  if (head.startsWith('SQLite format 3\0')) return openMbtiles(filePath);
  if (head.startsWith('PM')) {
    throw unreadable({
      why: 'It is PMTiles of an old version; only version 3 can be read.',
      mend: 'Convert it with “pmtiles convert”.',
    });
  }
  throw unreadable({
    why: 'It is neither PMTiles nor MBTiles.',
    mend: 'Choose a .pmtiles or .mbtiles file.',
  });
}

function readHead(filePath: string): string {
  try {
    if (!statSync(filePath).isFile()) throw new Error('not a file');
    const file = openSync(filePath, 'r');
    try {
      const head = Buffer.alloc(16);
      readSync(file, head, 0, head.length, 0);
      return head.toString('latin1');
    } finally {
      closeSync(file);
    }
  } catch {
    throw unreadable({
      why: 'There is no such file, or it may not be read.',
      mend: 'Bring it back to where it was, or add it again from where it is.',
    });
  }
}
