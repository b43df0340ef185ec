import type Database from 'better-sqlite3';
import { unreadable } from './basemap-error.ts';

interface TileQueries {
  /** Takes `z`, `x`, `row` and `maxBytes`; gives `bytes`, null where there are too many. */
  tile: string;
  /** Takes `maxBytes`; gives `bytes` of some tile, as `tile` does. */
  any: string;
  /** Takes `count`; gives `z`, `x` and `row` of so many tiles of the lowest zoom. */
  first: string;
  /** Gives `min` and `max`. */
  zooms: string;
}

const bounded = (column: string): string =>
  `CASE WHEN typeof(${column}) = 'blob' AND length(${column}) <= :maxBytes THEN ${column} END AS bytes`;

// Each by itself is one look into the index.
const zoomsOf = (table: string): string =>
  `SELECT (SELECT min(zoom_level) FROM ${table}) AS min, (SELECT max(zoom_level) FROM ${table}) AS max`;

const firstOf = (table: string): string =>
  `SELECT zoom_level AS z, tile_column AS x, tile_row AS row FROM ${table} ` +
  `WHERE zoom_level = (SELECT min(zoom_level) FROM ${table}) LIMIT :count`;

const plain: TileQueries = {
  tile: `SELECT ${bounded('tile_data')} FROM tiles WHERE zoom_level = :z AND tile_column = :x AND tile_row = :row`,
  any: `SELECT ${bounded('tile_data')} FROM tiles LIMIT 1`,
  first: firstOf('tiles'),
  zooms: zoomsOf('tiles'),
};

/** The usual layout of tiles that repeat: which is where, and each one once. `tiles` is then a view of both. */
const shared: TileQueries = {
  tile:
    `SELECT ${bounded('images.tile_data')} FROM map CROSS JOIN images ON images.tile_id = map.tile_id ` +
    'WHERE map.zoom_level = :z AND map.tile_column = :x AND map.tile_row = :row',
  any: `SELECT ${bounded('tile_data')} FROM images LIMIT 1`,
  first: firstOf('map'),
  zooms: zoomsOf('map'),
};

const place = ['zoom_level', 'tile_column', 'tile_row'];

/**
 * How to ask a file for a tile. Views are never asked, nor columns that are computed: their SQL is the file's, and a query
 * without end in them could be stopped by nobody.
 * @throws AppError `basemap.unreadable`
 */
export function findTileQuery(database: Database.Database): TileQueries {
  const isTable = (name: string, columns: readonly string[]): boolean => {
    const isOne = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND lower(name) = ?")
      .get(name);
    const stored = database
      .prepare<[], { name: string; hidden: number }>(`PRAGMA table_xinfo(${name})`)
      .all();
    const isStored = (column: string): boolean =>
      stored.some((one) => one.name.toLowerCase() === column && one.hidden === 0);
    return isOne !== undefined && columns.every(isStored);
  };
  const queries = isTable('tiles', [...place, 'tile_data'])
    ? plain
    : isTable('map', [...place, 'tile_id']) && isTable('images', ['tile_id', 'tile_data'])
      ? shared
      : null;
  if (queries === null || !isTable('metadata', ['name', 'value'])) {
    throw unreadable({
      why: 'It is SQLite, but its tables are not those of MBTiles.',
      mend: 'Choose an MBTiles or PMTiles file.',
    });
  }
  const plan = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${queries.tile}`)
    .all({ z: 0, x: 0, row: 0, maxBytes: 0 });
  if (plan.some(({ detail }) => /^SCAN|AUTOMATIC/.test(detail))) {
    throw unreadable({
      why: 'It has no index of its tiles, so that each would be looked for in the whole file.',
      mend: 'Add one: CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row).',
    });
  }
  return queries;
}
