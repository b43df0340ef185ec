import Database from 'better-sqlite3';
import type { TileAddress } from '../tile-set.ts';

/** What an MBTiles file of a test is made of. */
export interface MbtilesContent {
  tiles: readonly (TileAddress & { bytes: unknown })[];
  metadata: Record<string, string>;
  /** In place of the tables as they should be. */
  schema?: string;
  /** Inserts one tile: zoom, column, row from the south, bytes. */
  insert?: string;
}

const plainSchema = `
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
  CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`;

/** The layout of files in which equal tiles are stored once. */
export const sharedSchema = `
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
  CREATE TABLE images (tile_data BLOB, tile_id TEXT);
  CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
  CREATE UNIQUE INDEX images_id ON images (tile_id);
  CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
    FROM map JOIN images ON images.tile_id = map.tile_id;
  CREATE TRIGGER insert_tile INSTEAD OF INSERT ON tiles BEGIN
    INSERT INTO map VALUES (NEW.zoom_level, NEW.tile_column, NEW.tile_row, NEW.zoom_level || '-' || NEW.tile_column);
    INSERT INTO images VALUES (NEW.tile_data, NEW.zoom_level || '-' || NEW.tile_column);
  END;`;

/** Writes an MBTiles file, version 1.3. */
export function writeMbtiles(filePath: string, content: MbtilesContent): void {
  const database = new Database(filePath);
  database.pragma('synchronous = OFF');
  database.exec(content.schema ?? plainSchema);
  const addFact = database.prepare('INSERT INTO metadata (name, value) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const fact of Object.entries(content.metadata)) addFact.run(...fact);
  if (content.tiles.length > 0) {
    const addTile = database.prepare(content.insert ?? 'INSERT INTO tiles VALUES (?, ?, ?, ?)');
    for (const { z, x, y, bytes } of content.tiles) addTile.run(z, x, 2 ** z - 1 - y, bytes);
  }
  database.exec('COMMIT');
  database.close();
}
