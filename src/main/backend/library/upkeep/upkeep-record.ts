import type { Database } from 'better-sqlite3';
import type { JsonObject } from '#shared/stac/json.ts';
import { parseStored } from '../read-stored.ts';

/** What is done to a library. */
export type UpkeepKind = 'evict' | 'verify' | 'compact' | 'back-up' | 'restore' | 'recover' | 'move';

/** One line of a library's record of upkeep. */
export interface UpkeepRecord {
  kind: UpkeepKind;
  /** Milliseconds since 1970 UTC. */
  atMs: number;
  facts: JsonObject;
}

/** Lines beyond this are forgotten, the oldest first. */
const maxRecords = 500;

/** Adds a line. */
export function recordUpkeep(database: Database, { kind, atMs, facts }: UpkeepRecord): void {
  database.transaction(() => {
    database
      .prepare('INSERT INTO upkeep_record (kind, at_ms, facts) VALUES (?, ?, ?)')
      .run(kind, atMs, JSON.stringify(facts));
    database
      .prepare('DELETE FROM upkeep_record WHERE number <= (SELECT max(number) FROM upkeep_record) - ?')
      .run(maxRecords);
  })();
}

/** The latest lines, newest first. */
export function listUpkeep(database: Database, limit: number): UpkeepRecord[] {
  return database
    .prepare<[number], { kind: UpkeepKind; atMs: number; facts: string }>(
      'SELECT kind, at_ms AS atMs, facts FROM upkeep_record ORDER BY number DESC LIMIT ?',
    )
    .all(limit)
    .map((row) => ({ ...row, facts: parseStored('A note', row.facts) as JsonObject }));
}
