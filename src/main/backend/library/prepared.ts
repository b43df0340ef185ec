import type { Database, Statement } from 'better-sqlite3';

const known = new WeakMap<Database, Map<string, Statement>>();
/** A question may carry its limit in its text; more texts than these are of questions that won't come again. */
const maxKnown = 100;

/** A statement that is made ready once: that takes as long as reading some Items. Not for one that is iterated. */
export function prepared<Parameters extends unknown[], Row>(
  database: Database,
  sql: string,
): Statement<Parameters, Row> {
  let statements = known.get(database);
  if (!statements) known.set(database, (statements = new Map<string, Statement>()));
  let statement = statements.get(sql);
  if (!statement) {
    if (statements.size >= maxKnown) statements.clear();
    statements.set(sql, (statement = database.prepare(sql)));
  }
  return statement as Statement<Parameters, Row>;
}
