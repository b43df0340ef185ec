import type { Database } from 'better-sqlite3';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { foldWord, splitWords } from './split-words.ts';
import { parseStored } from '../read-stored.ts';

/** Longer descriptions say little more of what their Items are. */
const maxTextLength = 4000;

interface Row {
  pk: number;
  id: string;
  json: string | null;
}

/** What collections are found by: ids, titles, descriptions and keywords. */
export class CollectionWords {
  readonly #select;
  readonly #state;
  #knownState = '';
  #words: { pk: number; words: ReadonlySet<string> }[] = [];

  constructor(database: Database) {
    this.#select = database.prepare<[], Row>('SELECT pk, id, json FROM collection');
    this.#state = database
      .prepare<[], string>(
        `SELECT count(*) || ' ' || coalesce(max(fetched_at_ms), 0) || ' ' || coalesce(max(position), 0) FROM collection`,
      )
      .pluck();
  }

  /** Row numbers of the collections that have a word, or one that begins so. */
  find(word: string, { isPrefix }: { isPrefix: boolean }): number[] {
    this.#refresh();
    const sought = foldWord(word);
    return this.#words.flatMap(({ pk, words }) => {
      const has = words.has(sought) || (isPrefix && [...words].some((one) => one.startsWith(sought)));
      return has ? [pk] : [];
    });
  }

  #refresh(): void {
    const state = this.#state.get() ?? '';
    if (state === this.#knownState) return;
    this.#words = this.#select.all().map(({ pk, id, json }) => ({ pk, words: new Set(wordsOf(id, json)) }));
    this.#knownState = state;
  }
}

function wordsOf(id: string, json: string | null): string[] {
  const parsed: unknown = json === null ? null : parseStored('A collection', json);
  const collection: JsonObject = isJsonObject(parsed) ? parsed : {};
  const keywords: unknown[] = Array.isArray(collection['keywords']) ? collection['keywords'] : [];
  const texts = [id, collection['title'], collection['description'], ...keywords];
  return texts.flatMap((text) =>
    typeof text === 'string' ? splitWords(text.slice(0, maxTextLength)).map(foldWord) : [],
  );
}
