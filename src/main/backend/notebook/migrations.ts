/**
 * Numbered steps of the notebook's schema; `user_version` is the number of steps taken. A step that was released never
 * changes.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE saved_search (
    saved_search_id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- The question as JSON: SearchQuery, and what is applied here to its answer.
    question TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    looked_at_ms INTEGER,
    -- What the last check found: kept until the next look.
    new_count INTEGER,
    is_new_count_at_least INTEGER,
    checked_at_ms INTEGER,
    -- Gone for people, and can come back for a while.
    removed_at_ms INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX saved_search_by_name ON saved_search (connection_id, name COLLATE NOCASE)
    WHERE removed_at_ms IS NULL;

  -- Items that a person has seen in the answer of a saved search; what is not here is new.
  CREATE TABLE seen_item (
    saved_search_id INTEGER NOT NULL REFERENCES saved_search (saved_search_id) ON DELETE CASCADE,
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (saved_search_id, collection_id, item_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE area (
    area_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    -- GeoJSON, cut at the antimeridian.
    geometry TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;

  -- What was learnt about a catalog from how it answered.
  CREATE TABLE connection_fact (
    connection_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    is_accepted INTEGER NOT NULL,
    learnt_at_ms INTEGER NOT NULL,
    PRIMARY KEY (connection_id, kind, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Which assets were last downloaded of a collection, to offer them again.
  CREATE TABLE asset_rule (
    connection_id TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (connection_id, collection_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What of a catalog's library is never evicted: a search by its query's key, an area by its number, a collection by its id.
  CREATE TABLE pin (
    connection_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (connection_id, kind, ref)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What is being taken offline: a question, fetched to its end.
  CREATE TABLE offline_job (
    job_id INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id TEXT NOT NULL,
    name TEXT NOT NULL,
    question TEXT NOT NULL,
    choice TEXT NOT NULL,
    -- 'active', 'paused', 'cancelled', 'failed' or 'done'.
    state TEXT NOT NULL,
    error TEXT,
    -- Stage, counts, and where paging has come to, as JSON.
    progress TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER
  ) STRICT;

  -- Items of a job whose picture or files are still to come; those that failed stay, to be tried again.
  CREATE TABLE offline_todo (
    job_id INTEGER NOT NULL REFERENCES offline_job (job_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    is_failed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (job_id, kind, position)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Folders that files of a catalog were brought to, to find them again beside their receipts.
  CREATE TABLE download_folder (
    connection_id TEXT NOT NULL,
    path TEXT NOT NULL,
    used_at_ms INTEGER NOT NULL,
    PRIMARY KEY (connection_id, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Saved searches whose new items are ordered by themselves.
  CREATE TABLE download_rule (
    saved_search_id INTEGER PRIMARY KEY REFERENCES saved_search (saved_search_id) ON DELETE CASCADE,
    -- Which assets, where to, how much of it at once, and how often, as JSON.
    terms TEXT NOT NULL,
    is_on INTEGER NOT NULL,
    -- Whether what was there before the rule is among its items.
    is_primed INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    -- What the last run did, as JSON.
    last_run TEXT
  ) STRICT;

  -- Items that a rule has dealt with; what is not here is new to it.
  CREATE TABLE rule_item (
    saved_search_id INTEGER NOT NULL REFERENCES download_rule (saved_search_id) ON DELETE CASCADE,
    collection_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (saved_search_id, collection_id, item_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Which of an item's assets a rule has dealt with, as JSON; null: all that there will ever be.
  ALTER TABLE rule_item ADD COLUMN asset_keys TEXT;
  `,
];
