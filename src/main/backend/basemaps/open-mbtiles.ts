import Database from 'better-sqlite3';
import { damaged, nothingIn, unreadable } from './basemap-error.ts';
import { findTileQuery } from './mbtiles-layout.ts';
import { readBounds, readText, readZoom } from './read-facts.ts';
import { sniffPicture } from '../thumbnails/sniff-picture.ts';
import { tileLimits, type TileSet } from './tile-set.ts';
import { unpack } from './unpack.ts';

/** Opens an MBTiles file, which is SQLite, and never writes to it. @throws AppError `basemap.unreadable` */
export function openMbtiles(filePath: string): TileSet {
  let database: Database.Database | null = null;
  try {
    database = new Database(filePath, { readonly: true, fileMustExist: true });
    return readMbtiles(database);
  } catch (thrown) {
    database?.close();
    throw toError(thrown);
  }
}

function readMbtiles(database: Database.Database): TileSet {
  // What the file brings along (views, triggers, generated columns) is a stranger's SQL.
  for (const pragma of ['query_only = ON', 'trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0'])
    database.pragma(pragma);
  const { tile: tileQuery, any: anyQuery, first: firstQuery, zooms: zoomQuery } = findTileQuery(database);
  const metadata = readMetadata(database);
  const select = database.prepare<unknown[], { bytes: unknown }>(tileQuery);
  const format = metadata.get('format')?.toLowerCase();
  const zooms = readZooms(metadata, () =>
    database.prepare<[], { min: unknown; max: unknown }>(zoomQuery).get(),
  );
  const isVector =
    format === 'pbf' || format === 'mvt' || (format === undefined && !hasPictures(database, anyQuery));
  if (format !== undefined && !['pbf', 'mvt', 'png', 'jpg', 'jpeg', 'webp'].includes(format)) {
    throw unreadable({
      why: 'Its tiles are of a kind that can’t be drawn.',
      mend: 'PNG, JPEG, WebP and Mapbox vector tiles (PBF) can be.',
    });
  }
  const maxBytes = isVector ? tileLimits.vectorBytes : tileLimits.rasterBytes;
  const readTile = (place: { z: unknown; x: unknown; row: unknown }): Buffer | null =>
    attempt(() => {
      const found = select.get({ ...place, maxBytes });
      if (!found) return null;
      if (!Buffer.isBuffer(found.bytes)) throw damaged('A tile of it is no picture, or too large.');
      return unpack(found.bytes, isVector ? 'unknown' : 'none', maxBytes);
    });
  return {
    name: readText(metadata.get('name'), 120),
    facts: {
      tiles: isVector ? 'vector' : 'raster',
      ...zooms,
      bounds: readBounds(metadata.get('bounds')?.split(',') ?? []),
      attribution: readText(metadata.get('attribution'), 300),
    },
    // MBTiles counts rows from the south, as TMS does.
    tile: ({ z, x, y }) => readTile({ z, x, row: 2 ** z - 1 - y }),
    firstTiles: (count) =>
      attempt(() =>
        database
          .prepare<unknown[], { z: unknown; x: unknown; row: unknown }>(firstQuery)
          .all({ count })
          .map((place) => () => readTile(place)),
      ),
    close: () => database.close(),
  };
}

function readMetadata(database: Database.Database): Map<string, string> {
  const rows = database
    .prepare<[], { name: unknown; value: unknown }>(
      'SELECT name, value FROM metadata WHERE length(name) < 100 AND length(value) < 100000 LIMIT 200',
    )
    .all();
  return new Map(
    rows.flatMap(({ name, value }) =>
      typeof name === 'string' && (typeof value === 'string' || typeof value === 'number')
        ? [[name, String(value)] as const]
        : [],
    ),
  );
}

function readZooms(
  metadata: ReadonlyMap<string, string>,
  ask: () => { min: unknown; max: unknown } | undefined,
): { minZoom: number; maxZoom: number } {
  const minZoom = readZoom(metadata.get('minzoom'));
  const maxZoom = readZoom(metadata.get('maxzoom'));
  if (minZoom !== null && maxZoom !== null && minZoom <= maxZoom) return { minZoom, maxZoom };
  const { min, max } = ask() ?? {};
  const found = { minZoom: readZoom(min), maxZoom: readZoom(max) };
  if (found.minZoom === null || found.maxZoom === null) {
    throw nothingIn();
  }
  return { minZoom: found.minZoom, maxZoom: found.maxZoom };
}

function hasPictures(database: Database.Database, anyQuery: string): boolean {
  const bytes = database
    .prepare<unknown[], { bytes: unknown }>(anyQuery)
    .get({ maxBytes: tileLimits.rasterBytes })?.bytes;
  return !Buffer.isBuffer(bytes) || sniffPicture(bytes) !== null;
}

function attempt<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (thrown) {
    throw toError(thrown);
  }
}

function toError(thrown: unknown): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  if (thrown.code === 'SQLITE_CANTOPEN') {
    return unreadable({
      why: 'It can’t be opened.',
      mend: 'Check that you may read the file and its folder.',
    });
  }
  return damaged('It is a damaged SQLite file, or none of MBTiles.');
}
