import type { Database } from 'better-sqlite3';
import type { WireHabit, WireHabits } from '../catalog/wire-habits.ts';
import type { Logger } from '../ports.ts';
import { catalogFactSchema, type CatalogFact } from '#shared/search/catalog-facts.ts';

/** What was learnt about catalogs from their answers. */
export interface FactStore {
  list(connectionId: string): CatalogFact[];
  /** Takes note of facts; a later one about the same takes the place of an earlier one. */
  learn(connectionId: string, facts: readonly CatalogFact[], learntAtMs: number): void;
  /** Whether it was learnt that a catalog accepts something. Cheap: asked with each search. */
  isAccepted(connectionId: string, about: { kind: CatalogFact['kind']; name: string }): boolean;
  /** Forgets all about a catalog: its server is another one. */
  forget(connectionId: string): void;
  /** Called when something new was learnt or forgotten; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

interface FactRow {
  kind: string;
  name: string;
  isAccepted: number;
}

/** Facts about one catalog; a question may name any number of made-up properties. */
const maxFacts = 2000;

/** Prepares the statements. */
export function createFactStore(database: Database): FactStore {
  const listeners = new Set<() => void>();
  const selectAll = database.prepare<[string], FactRow>(
    `SELECT kind, name, is_accepted AS isAccepted FROM connection_fact
     WHERE connection_id = ? ORDER BY learnt_at_ms, kind, name`,
  );
  const accepted = database.prepare<[string, string, string]>(
    'SELECT 1 FROM connection_fact WHERE connection_id = ? AND kind = ? AND name = ? AND is_accepted = 1',
  );
  const remove = database.prepare('DELETE FROM connection_fact WHERE connection_id = ?');
  const upsert = database.prepare(
    `INSERT INTO connection_fact VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET is_accepted = excluded.is_accepted, learnt_at_ms = excluded.learnt_at_ms
     WHERE is_accepted <> excluded.is_accepted`,
  );
  const forgetOldest = database.prepare(
    `DELETE FROM connection_fact WHERE connection_id = @connectionId AND (kind, name) IN (
       SELECT kind, name FROM connection_fact WHERE connection_id = @connectionId
       ORDER BY learnt_at_ms DESC LIMIT -1 OFFSET @maxFacts)`,
  );
  const save = database.transaction((connectionId: string, facts: readonly CatalogFact[], nowMs: number) => {
    let changes = 0;
    for (const { kind, name, isAccepted } of facts) {
      changes += upsert.run(connectionId, kind, name, Number(isAccepted), nowMs).changes;
    }
    if (changes > 0) forgetOldest.run({ connectionId, maxFacts });
    return changes;
  });
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return {
    list: (connectionId) =>
      selectAll.all(connectionId).flatMap((row) => {
        const fact = catalogFactSchema.safeParse({ ...row, isAccepted: row.isAccepted === 1 });
        return fact.success ? [fact.data] : [];
      }),
    learn: (connectionId, facts, learntAtMs) => {
      if (facts.length === 0 || save(connectionId, facts, learntAtMs) === 0) return;
      tell();
    },
    isAccepted: (connectionId, { kind, name }) => accepted.get(connectionId, kind, name) !== undefined,
    forget: (connectionId) => {
      if (remove.run(connectionId).changes > 0) tell();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** How a catalog wants its searches written, kept over restarts. */
export function keepWireHabits(
  facts: FactStore,
  { connectionId, now, logger }: { connectionId: string; now: () => number; logger: Logger },
): WireHabits {
  const learnt = new Set<WireHabit>();
  return {
    has: (habit) => learnt.has(habit) || facts.isAccepted(connectionId, { kind: 'wire', name: habit }),
    learn: (habit) => {
      learnt.add(habit);
      // A search goes on whatever the notebook can take.
      try {
        facts.learn(connectionId, [{ kind: 'wire', name: habit, isAccepted: true }], now());
      } catch (thrown) {
        logger.warn('wire habit not kept', { habit, message: String(thrown) });
      }
    },
  };
}
