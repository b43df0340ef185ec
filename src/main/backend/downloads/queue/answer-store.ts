import type { Database } from 'better-sqlite3';

/** What was answered to whoever asked for something by a key of their own: asked again, it is not done again. */
export interface AnswerStore {
  /** Null where nobody has asked by that key, or a thousand answers ago. */
  find(askKey: string | undefined): unknown;
  /** Does a step and keeps what it answers, both or neither; where that has been done, gives the answer of then. */
  once<Answer>(askKey: string | undefined, step: () => Answer): Answer;
}

// Whoever asks again does so within seconds.
const mostKept = 1000;

/** Answers in an open queue. */
export function createAnswerStore(database: Database): AnswerStore {
  const insert = database.prepare('INSERT INTO answer (ask_key, answer_json) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM answer WHERE answer_id <= ?');
  const select = database
    .prepare<[string], string>('SELECT answer_json FROM answer WHERE ask_key = ?')
    .pluck();

  function find(askKey: string | undefined): unknown {
    const json = askKey === undefined ? undefined : select.get(askKey);
    return json === undefined ? null : JSON.parse(json);
  }

  function doStep<Answer>(askKey: string | undefined, step: () => Answer): Answer {
    const earlier = find(askKey);
    if (earlier !== null) return earlier as Answer;
    const answer = step();
    if (askKey !== undefined) {
      const { lastInsertRowid } = insert.run(askKey, JSON.stringify(answer));
      forget.run(Number(lastInsertRowid) - mostKept);
    }
    return answer;
  }

  return { find, once: (askKey, step) => database.transaction(() => doStep(askKey, step))() };
}
