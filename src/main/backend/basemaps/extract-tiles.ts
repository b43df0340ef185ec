import { rmSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { unreadable } from './basemap-error.ts';
import { checkRasterTile } from './raster-tile.ts';
import { addressesIn, countTiles, rangesAt, type TileRange } from './tile-ranges.ts';
import type { TileAddress } from './tile-set.ts';

/** What is taken out of a basemap, and where it goes. */
export interface ExtractWish {
  /** Degrees; west > east crosses the antimeridian. */
  bbox: Bbox;
  /** No tiles closer than this. */
  maxZoom: number;
  /** The MBTiles file to be written; it must not be there. */
  toFile: string;
  /** Tiles that were looked at, and how many there are to look at. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** What was taken out. */
export interface ExtractResult {
  tileCount: number;
  sizeBytes: number;
}

/** What is copied from. */
export interface ExtractSource {
  name: string;
  facts: TileFacts;
  tile: (address: TileAddress) => Promise<Buffer | null>;
}

/** An extract is for a field of work, not for a continent in every detail. */
export const extractLimits = { tiles: 100_000, bytes: 1024 * 1024 * 1024 };

/**
 * Copies the tiles of an area into an MBTiles file of its own. Nothing is left behind when it fails.
 * @throws AppError `basemap.unreadable` when it would be too large, or there is nothing of the area; `cancelled`
 */
export async function extractTiles(source: ExtractSource, wish: ExtractWish): Promise<ExtractResult> {
  const { minZoom, maxZoom, bounds } = source.facts;
  const deepest = Math.min(maxZoom, wish.maxZoom);
  const ranges: TileRange[] = [];
  for (let z = minZoom; z <= deepest; z++) ranges.push(...rangesAt(z, { bbox: wish.bbox, bounds }));
  const total = countTiles(ranges);
  if (total === 0) throw unreadable({ why: 'It has nothing of the area.', mend: 'Choose another basemap.' });
  if (total > extractLimits.tiles) throw tooLarge();
  const database = new Database(wish.toFile);
  try {
    const tileCount = await copy(source, { database, ranges, total, wish });
    database.close();
    return { tileCount, sizeBytes: statSync(wish.toFile).size };
  } catch (thrown) {
    database.close();
    rmSync(wish.toFile, { force: true });
    throw thrown;
  }
}

interface Copying {
  database: Database.Database;
  ranges: readonly TileRange[];
  total: number;
  wish: ExtractWish;
}

async function copy(source: ExtractSource, { database, ranges, total, wish }: Copying): Promise<number> {
  // A half one is thrown away, so that nothing has to be safe before it is whole.
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.exec(schema);
  database.exec('BEGIN');
  const insert = database.prepare('INSERT OR IGNORE INTO tiles VALUES (?, ?, ?, ?)');
  let format = source.facts.tiles === 'vector' ? 'pbf' : null;
  let done = 0;
  let count = 0;
  let sizeBytes = 0;
  for (const address of addressesIn(ranges)) {
    if (wish.signal?.aborted) throw new AppError('cancelled', 'Nobody waits for this extract any more');
    const bytes = await source.tile(address);
    wish.onProgress?.(++done, total);
    if (!bytes) continue;
    format ??= formatOf(bytes);
    const packed = packTile(bytes, source.facts);
    sizeBytes += packed.length;
    if (sizeBytes > extractLimits.bytes) throw tooLarge();
    const { z, x, y } = address;
    count += insert.run(z, x, 2 ** z - 1 - y, packed).changes;
  }
  describe(database, source, { ranges, wish, format: format ?? 'png' });
  database.exec('COMMIT');
  return count;
}

const schema = `
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
  CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`;

/** A tile as MBTiles keeps it. */
export function packTile(bytes: Buffer, { tiles }: TileFacts): Buffer {
  return tiles === 'vector' ? gzipSync(bytes) : bytes;
}

function formatOf(bytes: Buffer): string {
  return (checkRasterTile(bytes) ?? 'image/png').replace('image/', '').replace('jpeg', 'jpg');
}

function describe(
  database: Database.Database,
  { name, facts }: ExtractSource,
  { ranges, wish, format }: Pick<Copying, 'ranges' | 'wish'> & { format: string },
): void {
  const zooms = ranges.map(({ from }) => from.z);
  const insert = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  const about = {
    name,
    format,
    attribution: facts.attribution,
    bounds: boundsOf(wish.bbox).join(','),
    minzoom: String(Math.min(...zooms)),
    maxzoom: String(Math.max(...zooms)),
  };
  for (const fact of Object.entries(about)) insert.run(...fact);
}

// MBTiles has no box across the antimeridian.
function boundsOf([west, south, east, north]: Bbox): readonly number[] {
  return west <= east ? [west, south, east, north] : [-180, south, 180, north];
}

function tooLarge(): AppError {
  return unreadable({
    why: 'The extract would be too large.',
    mend: 'Take a smaller area, or fewer zoom levels.',
  });
}
