import type { Database } from 'better-sqlite3';
import {
  downloadRuleSchema,
  type DownloadRule,
  type RuleRun,
  type RuleTerms,
} from '#shared/transfer/download-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { createRuleMarks, type DealtWith, type RuleMark } from './rule-marks.ts';

/** A rule with the catalog that its saved search asks. */
export interface KeptRule extends DownloadRule {
  connectionId: string;
  /** Whether it knows what was there before it was made. */
  isPrimed: boolean;
}

/** The rules of saved searches, and which Items they have dealt with. */
export interface DownloadRuleStore {
  /** Those of saved searches that are on the list, of one catalog or of all. */
  list(connectionId?: string): KeptRule[];
  find(savedSearchId: number): KeptRule | null;
  /** Makes a rule, or changes it, and switches it on. What it has dealt with stays. */
  save(savedSearchId: number, terms: RuleTerms, options: { isPrimed: boolean; nowMs: number }): void;
  switch(savedSearchId: number, isOn: boolean): void;
  remove(savedSearchId: number): void;
  noteRun(savedSearchId: number, run: RuleRun): void;
  /** The rule knows from now on what was there before it. */
  notePrimed(savedSearchId: number): void;
  /** What the rule has dealt with of each Item of a list; null: nothing. Short lists: this is one task. */
  dealtWith(savedSearchId: number, refs: readonly ItemRef[]): (DealtWith | null)[];
  /** In one transaction. Short lists: this is one task. */
  addMarks(savedSearchId: number, marks: readonly RuleMark[]): void;
  onChange(listener: () => void): () => void;
}

interface Row {
  savedSearchId: number;
  connectionId: string;
  terms: string;
  isOn: number;
  isPrimed: number;
  lastRun: string | null;
}

const selectRules = `
  SELECT r.saved_search_id AS savedSearchId, s.connection_id AS connectionId, r.terms AS terms, r.is_on AS isOn,
    r.is_primed AS isPrimed, r.last_run AS lastRun
  FROM download_rule r JOIN saved_search s ON s.saved_search_id = r.saved_search_id
  WHERE s.removed_at_ms IS NULL`;

/** Prepares the statements of the rules. */
export function createDownloadRuleStore(database: Database): DownloadRuleStore {
  const listeners = new Set<() => void>();
  const all = database.prepare<[], Row>(`${selectRules} ORDER BY s.name COLLATE NOCASE`);
  const one = database.prepare<[number], Row>(`${selectRules} AND r.saved_search_id = ?`);
  const insert = database.prepare(
    `INSERT INTO download_rule (saved_search_id, terms, is_on, is_primed, created_at_ms) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (saved_search_id) DO UPDATE SET terms = excluded.terms, is_on = 1`,
  );
  const setOn = database.prepare('UPDATE download_rule SET is_on = ? WHERE saved_search_id = ?');
  const setRun = database.prepare('UPDATE download_rule SET last_run = ? WHERE saved_search_id = ?');
  const setPrimed = database.prepare('UPDATE download_rule SET is_primed = 1 WHERE saved_search_id = ?');
  const remove = database.prepare('DELETE FROM download_rule WHERE saved_search_id = ?');
  // What a person has seen when they make the rule is not new to it either.
  const takeSeen = database.prepare(
    `INSERT OR IGNORE INTO rule_item (saved_search_id, collection_id, item_id)
     SELECT saved_search_id, collection_id, item_id FROM seen_item WHERE saved_search_id = ?`,
  );
  const marks = createRuleMarks(database);
  const save = database.transaction<DownloadRuleStore['save']>(
    (savedSearchId, terms, { isPrimed, nowMs }) => {
      const isNew = one.get(savedSearchId) === undefined;
      insert.run(savedSearchId, JSON.stringify(terms), Number(isPrimed), nowMs);
      if (isNew) takeSeen.run(savedSearchId);
    },
  );

  function telling(work: () => unknown): void {
    work();
    for (const listener of [...listeners]) listener();
  }

  return {
    list: (connectionId) =>
      all
        .all()
        .filter((row) => connectionId === undefined || row.connectionId === connectionId)
        .flatMap(toRule),
    find: (savedSearchId) => {
      const row = one.get(savedSearchId);
      return row === undefined ? null : (toRule(row)[0] ?? null);
    },
    save: (...order) => telling(() => save.immediate(...order)),
    switch: (savedSearchId, isOn) => telling(() => setOn.run(Number(isOn), savedSearchId)),
    remove: (savedSearchId) => telling(() => remove.run(savedSearchId)),
    noteRun: (savedSearchId, run) => telling(() => setRun.run(JSON.stringify(run), savedSearchId)),
    notePrimed: (savedSearchId) => telling(() => setPrimed.run(savedSearchId)),
    dealtWith: (id, refs) => marks.dealtWith(id, refs),
    addMarks: (id, added) => marks.add(id, added),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

// What another version wrote may not read as a rule any more; it stays in the file for that version.
function toRule({ savedSearchId, connectionId, terms, isOn, isPrimed, lastRun }: Row): KeptRule[] {
  const rule = downloadRuleSchema.safeParse({
    ...(JSON.parse(terms) as object),
    savedSearchId,
    isOn: isOn === 1,
    lastRun: lastRun === null ? null : (JSON.parse(lastRun) as unknown),
  });
  return rule.success ? [{ ...rule.data, connectionId, isPrimed: isPrimed === 1 }] : [];
}
