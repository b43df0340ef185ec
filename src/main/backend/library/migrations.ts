import type { Database } from 'better-sqlite3';
import type { MigrationStep } from '../sqlite/open-sqlite.ts';
import { addCellFunction } from './map-cell.ts';

/**
 * Numbered steps of the schema; `user_version` is the number of steps taken. A step that was released never changes.
 */
export const migrations: readonly MigrationStep[] = [
  `
  CREATE TABLE collection (
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Null for a collection that is known only because an item names it.
    position INTEGER,
    json TEXT,
    fetched_at_ms INTEGER
  ) STRICT;

  CREATE TABLE item (
    pk INTEGER PRIMARY KEY,
    collection_pk INTEGER NOT NULL REFERENCES collection (pk),
    id TEXT NOT NULL,
    -- Sort key. Never null, so that keyset paging meets no null: items without a time have the smallest value.
    datetime_us INTEGER NOT NULL,
    start_us INTEGER,
    end_us INTEGER,
    cloud_cover REAL,
    west REAL, south REAL, east REAL, north REAL,
    fetched_at_ms INTEGER NOT NULL,
    UNIQUE (collection_pk, id)
  ) STRICT;
  CREATE INDEX item_by_time ON item (datetime_us DESC, id, collection_pk);
  CREATE INDEX item_by_collection_time ON item (collection_pk, datetime_us DESC, id);
  CREATE INDEX item_by_cloud_cover ON item (cloud_cover, id, collection_pk) WHERE cloud_cover IS NOT NULL;
  CREATE INDEX item_by_id ON item (id);

  CREATE TABLE item_json (
    item_pk INTEGER PRIMARY KEY REFERENCES item (pk) ON DELETE CASCADE,
    zstd BLOB NOT NULL
  ) STRICT;

  -- id is the item's pk; an item across the antimeridian has its second half under -pk.
  CREATE VIRTUAL TABLE item_box USING rtree (id, west, east, south, north);

  CREATE TABLE queryables (
    collections TEXT PRIMARY KEY,
    json TEXT NOT NULL,
    fetched_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE search (
    number INTEGER PRIMARY KEY,
    query_key TEXT NOT NULL,
    query TEXT NOT NULL,
    matched INTEGER,
    is_complete INTEGER NOT NULL,
    fetched_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_by_key ON search (query_key, fetched_at_ms DESC);

  CREATE TABLE search_item (
    search_number INTEGER NOT NULL REFERENCES search (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    item_pk INTEGER NOT NULL REFERENCES item (pk) ON DELETE CASCADE,
    PRIMARY KEY (search_number, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE thumbnail (
    item_pk INTEGER PRIMARY KEY REFERENCES item (pk) ON DELETE CASCADE,
    media_type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    fetched_at_ms INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Whether the question's fields cut the item down.
  ALTER TABLE item ADD COLUMN is_partial INTEGER NOT NULL DEFAULT 0;
  -- What was applied here to the answer, and how many of search_item it left out.
  ALTER TABLE search ADD COLUMN local_filter TEXT;
  ALTER TABLE search ADD COLUMN left_out_count INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Anew, because the indexes held the id over and over: one index finds an id, and ties of the others are sorted.
  CREATE TABLE item_anew (
    pk INTEGER PRIMARY KEY,
    collection_pk INTEGER NOT NULL REFERENCES collection (pk),
    id TEXT NOT NULL,
    -- Sort key. Never null, so that keyset paging meets no null: items without a time have the smallest value.
    datetime_us INTEGER NOT NULL,
    start_us INTEGER,
    end_us INTEGER,
    cloud_cover REAL,
    west REAL, south REAL, east REAL, north REAL,
    fetched_at_ms INTEGER NOT NULL,
    -- Whether the question's fields cut the item down.
    is_partial INTEGER NOT NULL
  ) STRICT;
  INSERT INTO item_anew SELECT pk, collection_pk, id, datetime_us, start_us, end_us, cloud_cover, west, south, east,
    north, fetched_at_ms, is_partial FROM item ORDER BY pk;
  DROP TABLE item;
  ALTER TABLE item_anew RENAME TO item;
  CREATE UNIQUE INDEX item_by_id ON item (id, collection_pk);
  CREATE INDEX item_by_time ON item (datetime_us DESC);
  CREATE INDEX item_by_collection_time ON item (collection_pk, datetime_us DESC);
  CREATE INDEX item_by_cloud_cover ON item (cloud_cover) WHERE cloud_cover IS NOT NULL;

  -- Items that others are told by: what differs from them. A row never changes, and its number is not given again.
  CREATE TABLE item_shape (
    pk INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_pk INTEGER NOT NULL REFERENCES collection (pk),
    zstd BLOB NOT NULL
  ) STRICT;
  CREATE INDEX item_shape_by_collection ON item_shape (collection_pk);

  -- Words that items are found by. The rowid is (hours since 1900 << 27) + the item's pk: most recent items last.
  CREATE VIRTUAL TABLE item_text USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER item_text_on_delete AFTER DELETE ON item BEGIN
    DELETE FROM item_text WHERE rowid = (max(0, old.datetime_us / 3600000000 + 613608) << 27) | old.pk;
  END;
  -- Words of item_text that are offered for their beginnings.
  CREATE TABLE item_word (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- Items up to this pk aren't in item_text yet.
  CREATE TABLE item_text_backlog (last_pk INTEGER NOT NULL) STRICT;
  INSERT INTO item_text_backlog SELECT max(pk) FROM item HAVING max(pk) IS NOT NULL;
  `,
  `
  -- Without it, taking an item out would look through every search for it.
  CREATE INDEX search_item_by_item ON search_item (item_pk);
  -- Items that a search brought and that are evicted since; and how many positions it had then.
  ALTER TABLE search ADD COLUMN evicted_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE search ADD COLUMN position_count INTEGER NOT NULL DEFAULT 0;

  -- What was done to the library: evictions, checks, backups. Facts as JSON.
  CREATE TABLE upkeep_record (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    facts TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- The properties of items column by column: derived from item_json, and made again from it where it lags behind.
  CREATE TABLE column_name (
    pk INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  -- Items whose pk is 2^13 * block and what follows, up to covered_pk, are in the chunks of the block.
  CREATE TABLE column_block (
    block INTEGER PRIMARY KEY,
    covered_pk INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- Whether a property of its items has no column.
    is_overflowing INTEGER NOT NULL
  ) STRICT;
  -- The key is 2^32 * column_name.pk + block: the chunks of a column lie one behind the other.
  CREATE TABLE column_chunk (
    key INTEGER PRIMARY KEY,
    chunk BLOB NOT NULL
  ) STRICT;
  -- Items that changed since their block was written.
  CREATE TABLE column_stale (
    number INTEGER PRIMARY KEY,
    item_pk INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER column_stale_on_insert AFTER INSERT ON item
    WHEN EXISTS (SELECT 1 FROM column_block WHERE block = new.pk >> 13 AND covered_pk >= new.pk)
    BEGIN INSERT INTO column_stale (item_pk) VALUES (new.pk); END;
  CREATE TRIGGER column_stale_on_update AFTER UPDATE OF datetime_us ON item
    WHEN EXISTS (SELECT 1 FROM column_block WHERE block = new.pk >> 13)
    BEGIN INSERT INTO column_stale (item_pk) VALUES (new.pk); END;
  CREATE TRIGGER column_stale_on_delete AFTER DELETE ON item
    WHEN EXISTS (SELECT 1 FROM column_block WHERE block = old.pk >> 13)
    BEGIN INSERT INTO column_stale (item_pk) VALUES (old.pk); END;
  `,
  `
  -- Items that the catalog no longer has, and since when that is known. One that comes again is back.
  CREATE TABLE gone_item (
    item_pk INTEGER PRIMARY KEY REFERENCES item (pk) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER item_is_back AFTER UPDATE OF fetched_at_ms ON item BEGIN
    DELETE FROM gone_item WHERE item_pk = NEW.pk;
  END;
  -- 48 bits of the item's content as this search brought it: a later one takes its place in item_json.
  ALTER TABLE search_item ADD COLUMN content_hash INTEGER;
  `,
  `
  -- Files that items came from. The record of one is a search without a question.
  CREATE TABLE import (
    number INTEGER PRIMARY KEY,
    search_number INTEGER UNIQUE REFERENCES search (number) ON DELETE SET NULL,
    file_name TEXT NOT NULL,
    format TEXT NOT NULL,
    as_of_ms INTEGER NOT NULL,
    imported_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE imported_item (
    item_pk INTEGER PRIMARY KEY REFERENCES item (pk) ON DELETE CASCADE,
    import_number INTEGER NOT NULL REFERENCES import (number)
  ) STRICT;
  CREATE TRIGGER item_is_from_catalog AFTER UPDATE OF fetched_at_ms ON item BEGIN
    DELETE FROM imported_item WHERE item_pk = NEW.pk;
  END;
  `,
  `
  -- The shapes once more, on pages of their own: without a shape none of its items could be read.
  CREATE TABLE item_shape_copy (
    pk INTEGER PRIMARY KEY,
    collection_pk INTEGER NOT NULL,
    zstd BLOB NOT NULL
  ) STRICT;
  INSERT INTO item_shape_copy SELECT pk, collection_pk, zstd FROM item_shape;
  CREATE TRIGGER item_shape_is_copied AFTER INSERT ON item_shape BEGIN
    INSERT INTO item_shape_copy VALUES (NEW.pk, NEW.collection_pk, NEW.zstd);
  END;
  `,
  `
  -- Of a large batch one piece is written, and pieces are merged when there are more of them: bytes, and how many.
  INSERT INTO item_text (item_text, rank) VALUES ('hashsize', 16777216);
  INSERT INTO item_text (item_text, rank) VALUES ('automerge', 8);
  `,
  `
  -- Columns tell the order of items; these were written all over for each item that came.
  DROP INDEX item_by_time;
  DROP INDEX item_by_collection_time;
  DROP INDEX item_by_cloud_cover;
  `,
  `
  -- Pieces are brought together in pauses, from two of about the same size on.
  INSERT INTO item_text (item_text, rank) VALUES ('usermerge', 2);
  `,
  fileByCells,
  `
  -- Items without a time: what stood for it lay in the year 1684, between others.
  UPDATE item SET datetime_us = -4611686018427387904 WHERE datetime_us = -9007199254740991;
  `,
  // Items are written with a checksum from here on, which earlier programs can't read: see item-json.ts.
  '',
  `
  -- Who adds an item notes it: beside a trigger, SQLite copies each page that the row goes to until it is in.
  DROP TRIGGER column_stale_on_insert;
  `,
];

// Instead of an R*Tree: with a million items in it, each writing touched most of its pages.
function fileByCells(database: Database): void {
  addCellFunction(database);
  database.exec(`
    -- The cell of the map that the item is found in, null without a place; see map-cell.ts.
    ALTER TABLE item ADD COLUMN cell INTEGER;
    UPDATE item SET cell = cell_of(west, south, east, north) WHERE west IS NOT NULL;
    -- The tree has a larger box where the footprint isn't within the item's own. It rounds, and halves at the antimeridian.
    UPDATE item SET cell = cell_of(box.west, box.south, box.east, box.north) FROM item_box AS box
      WHERE box.id = pk AND (box.west < item.west - 0.001 OR box.south < item.south - 0.001
        OR box.north > item.north + 0.001 OR box.east > iif(item.west > item.east, 180, item.east) + 0.001);
    CREATE INDEX item_by_cell ON item (cell);
    DROP TABLE item_box;
  `);
}
