/**
 * Numbered steps of the queue's schema; `user_version` is the number of steps taken. A step that was released never
 * changes.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE download (
    download_id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    destination TEXT NOT NULL,
    link_mode TEXT NOT NULL,
    -- The Item without signed links, for item.json; never a source of links.
    item_json TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;

  -- AUTOINCREMENT: the id is in the part file's name, so no other transfer may ever have it again.
  CREATE TABLE transfer (
    transfer_id INTEGER PRIMARY KEY AUTOINCREMENT,
    download_id INTEGER NOT NULL REFERENCES download (download_id),
    asset_key TEXT NOT NULL,
    state TEXT NOT NULL,
    error_json TEXT,
    resume_at_ms INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    progress_at_ms INTEGER NOT NULL,
    progress_bytes INTEGER NOT NULL DEFAULT 0,
    restarts INTEGER NOT NULL DEFAULT 0,
    file_path TEXT,
    part_path TEXT,
    -- Set while the transfer has a claim on its final name.
    name_key TEXT UNIQUE,
    media_type TEXT,
    announced_bytes INTEGER,
    announced_checksum TEXT,
    total_bytes INTEGER,
    durable_bytes INTEGER NOT NULL DEFAULT 0,
    etag TEXT,
    source_origin TEXT,
    link_kind TEXT,
    verification TEXT,
    digest TEXT,
    started_at_ms INTEGER,
    finished_at_ms INTEGER
  ) STRICT;
  CREATE INDEX transfer_by_state ON transfer (state, transfer_id);
  CREATE INDEX transfer_by_download ON transfer (download_id);

  -- Which Item or Collection an output folder belongs to, so that two ids that make the same name stay apart.
  CREATE TABLE output_folder (
    folder_key TEXT PRIMARY KEY,
    owner TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The catalog that it was ordered from: one queue serves all, and goes on whichever is looked at.
  ALTER TABLE download ADD COLUMN connection_id TEXT NOT NULL DEFAULT 'demo';
  -- Thousands of Items are ordered at once, and each order looks for an earlier one.
  CREATE INDEX download_by_item ON download (collection_id, item_id);
  `,
  `
  -- A download is an order of many Items; what it needs of each is kept once.
  CREATE TABLE download_item (
    item_pk INTEGER PRIMARY KEY AUTOINCREMENT,
    download_id INTEGER NOT NULL REFERENCES download (download_id),
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    -- The Item without signed links, for item.json; never a source of links. JSON, or JSON compressed by zstd.
    item BLOB NOT NULL
  ) STRICT;
  INSERT INTO download_item SELECT download_id, download_id, collection_id, item_id, CAST(item_json AS BLOB)
    FROM download;
  DROP INDEX download_by_item;
  ALTER TABLE download DROP COLUMN collection_id;
  ALTER TABLE download DROP COLUMN item_json;
  ALTER TABLE download ADD COLUMN title TEXT NOT NULL DEFAULT '';
  UPDATE download SET title = item_id;
  ALTER TABLE download DROP COLUMN item_id;
  ALTER TABLE download ADD COLUMN origin_json TEXT NOT NULL DEFAULT '{"kind":"item"}';
  -- Null while the order is being written down: it is not in the queue then, and gone after a restart.
  ALTER TABLE download ADD COLUMN queued_at_ms INTEGER;
  UPDATE download SET queued_at_ms = created_at_ms;
  CREATE INDEX download_item_by_item ON download_item (collection_id, item_id);
  CREATE INDEX download_item_by_download ON download_item (download_id);

  ALTER TABLE transfer ADD COLUMN item_pk INTEGER NOT NULL DEFAULT 0;
  UPDATE transfer SET item_pk = download_id;
  CREATE INDEX transfer_by_item ON transfer (item_pk);
  -- 1 high, 0 normal, -1 low; then by position, with room between two for others to be moved there.
  ALTER TABLE transfer ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE transfer ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  UPDATE transfer SET position = transfer_id * 1048576;
  CREATE INDEX transfer_by_rank ON transfer (priority DESC, position);
  CREATE INDEX transfer_runnable ON transfer (priority DESC, position)
    WHERE state IN ('queued', 'preparing', 'downloading', 'verifying', 'finalizing');
  CREATE INDEX transfer_resuming ON transfer (resume_at_ms) WHERE state = 'waiting';
  DROP INDEX transfer_by_state;
  CREATE INDEX transfer_by_state ON transfer (state, priority DESC, position);
  DROP INDEX transfer_by_download;
  CREATE INDEX transfer_by_download ON transfer (download_id, state);
  -- Cancelled together; until when that can be taken back; and what it was before.
  ALTER TABLE transfer ADD COLUMN cancel_id INTEGER;
  ALTER TABLE transfer ADD COLUMN drop_at_ms INTEGER;
  ALTER TABLE transfer ADD COLUMN state_before TEXT;
  CREATE INDEX transfer_by_cancel ON transfer (cancel_id) WHERE cancel_id IS NOT NULL;
  -- What was found when the file was looked at again, and when.
  ALTER TABLE transfer ADD COLUMN finding TEXT;
  ALTER TABLE transfer ADD COLUMN checked_at_ms INTEGER;
  -- How often the process died while this was running, since the last progress.
  ALTER TABLE transfer ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;

  -- What was brought home. Rows stand for themselves: transfers and orders are removed.
  CREATE TABLE history (
    history_id INTEGER PRIMARY KEY AUTOINCREMENT,
    transfer_id INTEGER NOT NULL UNIQUE,
    download_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    destination TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    asset_key TEXT NOT NULL,
    file_path TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    verification TEXT NOT NULL,
    digest TEXT,
    finished_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX history_by_time ON history (finished_at_ms DESC, history_id DESC);
  CREATE INDEX history_by_download ON history (download_id);
  CREATE TRIGGER history_of_done AFTER UPDATE OF state ON transfer WHEN NEW.state = 'done' AND OLD.state <> 'done'
  BEGIN
    INSERT OR REPLACE INTO history (transfer_id, download_id, title, connection_id, destination, collection_id,
        item_id, asset_key, file_path, size_bytes, verification, digest, finished_at_ms)
      SELECT NEW.transfer_id, NEW.download_id, d.title, d.connection_id, d.destination, i.collection_id, i.item_id,
        NEW.asset_key, coalesce(NEW.file_path, ''), coalesce(NEW.total_bytes, NEW.durable_bytes),
        coalesce(NEW.verification, 'none'), NEW.digest, coalesce(NEW.finished_at_ms, 0)
      FROM download d, download_item i WHERE d.download_id = NEW.download_id AND i.item_pk = NEW.item_pk;
  END;
  INSERT INTO history (transfer_id, download_id, title, connection_id, destination, collection_id, item_id, asset_key,
      file_path, size_bytes, verification, digest, finished_at_ms)
    SELECT t.transfer_id, t.download_id, d.title, d.connection_id, d.destination, i.collection_id, i.item_id,
      t.asset_key, coalesce(t.file_path, ''), coalesce(t.total_bytes, t.durable_bytes),
      coalesce(t.verification, 'none'), t.digest, coalesce(t.finished_at_ms, 0)
    FROM transfer t JOIN download d ON d.download_id = t.download_id JOIN download_item i ON i.item_pk = t.item_pk
    WHERE t.state = 'done';

  -- The latest of what happened to each transfer, for whoever looks closer.
  CREATE TABLE event (
    event_id INTEGER PRIMARY KEY,
    transfer_id INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    durable_bytes INTEGER NOT NULL,
    error_json TEXT
  ) STRICT;
  CREATE INDEX event_by_transfer ON event (transfer_id, event_id);
  CREATE TRIGGER event_of_state AFTER UPDATE OF state ON transfer
    WHEN NEW.state <> OLD.state AND OLD.state <> 'queued' AND NEW.state NOT IN ('queued', 'verifying', 'finalizing')
  BEGIN
    INSERT INTO event (transfer_id, at_ms, state, durable_bytes, error_json)
      VALUES (NEW.transfer_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), NEW.state, NEW.durable_bytes, NEW.error_json);
    DELETE FROM event WHERE transfer_id = NEW.transfer_id AND event_id <= (SELECT event_id FROM event
      WHERE transfer_id = NEW.transfer_id ORDER BY event_id DESC LIMIT 1 OFFSET 40);
  END;
  CREATE TRIGGER event_of_removed AFTER DELETE ON transfer
  BEGIN
    DELETE FROM event WHERE transfer_id = OLD.transfer_id;
  END;

  -- Of the queue as a whole: whether it is stopped, what happened to its file, whether it was closed well.
  CREATE TABLE queue_fact (
    name TEXT PRIMARY KEY,
    value_json TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What the last checkpoint knows of a part file: the CRC-32 of each of its chunks of 16 MiB.
  CREATE TABLE chunk (
    transfer_id INTEGER NOT NULL REFERENCES transfer (transfer_id) ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    crc32 INTEGER NOT NULL,
    PRIMARY KEY (transfer_id, idx)
  ) STRICT, WITHOUT ROWID;
  -- Which volume a destination was on: the mount point of an unplugged drive is a folder as well.
  CREATE TABLE destination_volume (
    destination TEXT PRIMARY KEY,
    volume TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Whether the user's own AWS credentials may be used for this order; null: as its connection says.
  ALTER TABLE download ADD COLUMN s3_access TEXT;
  `,
  `
  -- Of the source that the part file came from, where it is as good as an ETag.
  ALTER TABLE transfer ADD COLUMN last_modified TEXT;
  `,
  `
  -- What was answered to whoever placed an order by a key of their own, so that asking again places it once.
  CREATE TABLE placed_order (
    placed_id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_key TEXT NOT NULL UNIQUE,
    answer_json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Part files of transfers that were removed from the list, until they are deleted.
  CREATE TABLE dropped_part (part_path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  `
  -- The collections that were ordered from: where a file will be had from is known of its collection, if at all.
  CREATE TABLE ordered_collection (
    collection_pk INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    UNIQUE (connection_id, collection_id)
  ) STRICT;
  INSERT INTO ordered_collection (connection_id, collection_id)
    SELECT DISTINCT d.connection_id, i.collection_id
    FROM download_item i JOIN download d ON d.download_id = i.download_id;
  ALTER TABLE transfer ADD COLUMN collection_pk INTEGER NOT NULL DEFAULT 0;
  UPDATE transfer SET collection_pk = c.collection_pk
    FROM download d, download_item i, ordered_collection c
    WHERE d.download_id = transfer.download_id AND i.item_pk = transfer.item_pk
      AND c.connection_id = d.connection_id AND c.collection_id = i.collection_id;
  -- By where they are had from, so that thousands that wait for one server are passed over at once.
  DROP INDEX transfer_runnable;
  CREATE INDEX transfer_runnable ON transfer (coalesce(source_origin, collection_pk), priority DESC, position)
    WHERE state IN ('queued', 'preparing', 'downloading', 'verifying', 'finalizing');
  `,
  `
  -- What was answered to whoever asked for a step by a key of their own, kept by the step: asked again, it is not done again.
  ALTER TABLE placed_order RENAME TO answer;
  ALTER TABLE answer RENAME COLUMN placed_id TO answer_id;
  ALTER TABLE answer RENAME COLUMN order_key TO ask_key;
  `,
  `
  -- How old the date was when it was seen: a new one shows another file as well, but promises nothing. Only old ones were kept.
  ALTER TABLE transfer ADD COLUMN last_modified_age_ms INTEGER;
  UPDATE transfer SET last_modified_age_ms = 60000 WHERE last_modified IS NOT NULL;
  `,
  `
  -- A file that is verified and has an error is found wrong, and put right.
  CREATE TRIGGER event_of_wrong AFTER UPDATE OF error_json ON transfer
    WHEN NEW.state = 'verifying' AND NEW.error_json IS NOT NULL
  BEGIN
    INSERT INTO event (transfer_id, at_ms, state, durable_bytes, error_json)
      VALUES (NEW.transfer_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), NEW.state, NEW.durable_bytes, NEW.error_json);
  END;
  `,
  `
  -- What was found of a file that is done, where that is something else than before.
  ALTER TABLE event ADD COLUMN finding TEXT;
  CREATE TRIGGER event_of_finding AFTER UPDATE OF finding ON transfer
    WHEN NEW.state = 'done' AND OLD.state = 'done' AND NEW.finding IS NOT OLD.finding
  BEGIN
    INSERT INTO event (transfer_id, at_ms, state, durable_bytes, finding)
      VALUES (NEW.transfer_id, CAST(unixepoch('subsec') * 1000 AS INTEGER), NEW.state, NEW.durable_bytes, coalesce(NEW.finding, 'ok'));
  END;
  `,
  `
  -- What the last checkpoint knows of a part file beyond the first gap in it. Before, only the end of a process wrote it down.
  CREATE TABLE island (
    transfer_id INTEGER NOT NULL REFERENCES transfer (transfer_id) ON DELETE CASCADE,
    start_bytes INTEGER NOT NULL,
    end_bytes INTEGER NOT NULL,
    crc32 INTEGER NOT NULL,
    PRIMARY KEY (transfer_id, start_bytes)
  ) STRICT, WITHOUT ROWID;
  DELETE FROM queue_fact WHERE name = 'islands';
  `,
  `
  -- Whether a file is on the list: asked for each file of a pack, and for each name that is taken.
  CREATE INDEX transfer_by_file ON transfer (file_path) WHERE state = 'done';
  `,
  `
  -- What was brought of an Item: asked for each that a list of results shows.
  CREATE INDEX history_by_item ON history (item_id, collection_id, connection_id, asset_key);
  `,
];
