import type { Database } from 'better-sqlite3';
import { prepared } from '../prepared.ts';

/** Pages of the index that are written in one step, a few milliseconds. */
const pagesPerStep = 16;

/**
 * Brings pieces of the full-text index together for some milliseconds; whether nothing is left to do. Each writing adds a
 * piece, and each question looks through all of them: a million Items in 15 pieces take three times as long as in two.
 */
export function mergeText(database: Database, { maxMs }: { maxMs: number }): boolean {
  const merge = prepared<[number], never>(
    database,
    "INSERT INTO item_text (item_text, rank) VALUES ('merge', ?)",
  );
  const changes = prepared<[], number>(database, 'SELECT total_changes()').pluck();
  const endMs = performance.now() + maxMs;
  while (performance.now() < endMs) {
    const before = changes.get() ?? 0;
    merge.run(pagesPerStep);
    // As fts5 has it: "If the difference between the two values is 2 or greater, then work was performed."
    if ((changes.get() ?? 0) - before < 2) return true;
  }
  return false;
}
