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
];
