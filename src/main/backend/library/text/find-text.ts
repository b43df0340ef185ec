import Database from 'better-sqlite3';
import type { ItemRef } from '#shared/stac/item.ts';
import type { CollectionKeys } from '../collection-keys.ts';
import { CollectionWords } from './collection-words.ts';
import { foldWord, splitWords } from './split-words.ts';
import { collectionWord } from './text-index.ts';

/** Further words narrow nothing that anybody types. */
const maxWords = 12;
const maxWordLength = 64;
/** Shorter beginnings are those of too many words to look at; they are found where they are whole words. */
const minPrefixLength = 3;
/** A word that belongs to more collections is looked for in the Items alone. */
const maxCollections = 500;
/** The index knows the hour; within the last one the Items are sorted, up to so many. */
const maxInLastHour = 2000;
const pkBits = 2 ** 27;
/** A word that was begun stands for so many words at most, the shortest, and of numbers and dates the latest. */
const maxCompletions = 100;
/** Of a beginning with so many figures all words are looked at where the latest don't suffice. */
const minNumberLength = 4;

interface Hit {
  rowid: number;
  pk: number;
}

/** Finds Items by words. */
export class TextFinder {
  readonly #keys: CollectionKeys;
  readonly #collections: CollectionWords;
  readonly #statements;

  constructor(database: Database.Database, keys: CollectionKeys) {
    this.#keys = keys;
    this.#collections = new CollectionWords(database);
    this.#statements = prepareStatements(database);
  }

  /** Most recent first. Every word must be there, the last one may be begun only. Nothing for a text without words. */
  find(text: string, limit: number): ItemRef[] {
    const words = splitWords(text)
      .slice(0, maxWords)
      .map((word) => word.slice(0, maxWordLength));
    if (words.length === 0 || limit <= 0) return [];
    try {
      return this.#toRefs(this.#findHits(words, limit), limit);
    } catch (thrown) {
      // Letters that are younger than the index's tables make a word that it takes for two.
      if (thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_ERROR') return [];
      throw thrown;
    }
  }

  // Most words are typed to their end, and looking for beginnings takes longer: each way only where the one before it
  // found too few, and could have missed some.
  #findHits(words: readonly string[], limit: number): Hit[] {
    const last = words.at(-1) ?? '';
    const others = words.slice(0, -1).map((word) => this.#toExpression(word, [quote(word)]));
    const toQuestion = (expression: string) => [...others, expression].join(' AND ');
    const whole = toQuestion(this.#toExpression(last, [quote(last)]));
    const hits = this.#match(whole, limit);
    if (hits.length >= limit || last.length < minPrefixLength) return hits;
    const completions = this.#complete(last);
    const begun = toQuestion(this.#toExpression(last, completions.map(quote), { isPrefix: true }));
    const isNumber = last.length >= minNumberLength && /^\p{N}/u.test(last);
    if (completions.length > 0) {
      const found = begun === whole ? hits : this.#match(begun, limit);
      if (found.length >= limit || !isNumber) return found;
    }
    // The index gathers all entries of a beginning before it gives the first: of frequent words that takes too long.
    return this.#match(toQuestion(this.#toExpression(last, [`${quote(last)} *`], { isPrefix: true })), limit);
  }

  #match(expression: string, limit: number): Hit[] {
    const hits = this.#statements.match.all(expression, limit);
    const last = hits.at(-1);
    if (!last || hits.length < limit) return hits;
    const hourStart = Math.floor(last.rowid / pkBits) * pkBits;
    return [...hits, ...this.#statements.matchBetween.all(expression, hourStart, last.rowid, maxInLastHour)];
  }

  #toExpression(word: string, own: readonly string[], { isPrefix = false } = {}): string {
    const collectionPks = this.#collections.find(word, { isPrefix });
    const isNarrow = collectionPks.length <= maxCollections;
    const others = isNarrow ? collectionPks.map((pk) => quote(collectionWord(pk))) : [];
    return `(${[...own, ...others].join(' OR ')})`;
  }

  #complete(word: string): string[] {
    const sought = foldWord(word);
    return this.#statements.complete.all(sought, `${sought}\u{10FFFF}`, maxCompletions);
  }

  #toRefs(hits: readonly Hit[], limit: number): ItemRef[] {
    const ids = new Map(this.#keys.all().map(({ pk, id }) => [pk, id]));
    const rows = hits.flatMap(({ pk }) => this.#statements.describe.all(pk));
    rows.sort((a, b) => b.datetime - a.datetime || (a.itemId < b.itemId ? -1 : 1));
    return rows
      .slice(0, limit)
      .map(({ collectionPk, itemId }) => ({ collectionId: ids.get(collectionPk) ?? '', itemId }));
  }
}

function quote(word: string): string {
  return `"${word}"`;
}

function prepareStatements(database: Database.Database) {
  return {
    match: database.prepare<[string, number], Hit>(
      `SELECT rowid, rowid & 134217727 AS pk FROM item_text WHERE item_text MATCH ? ORDER BY rowid DESC LIMIT ?`,
    ),
    matchBetween: database.prepare<[string, number, number, number], Hit>(
      `SELECT rowid, rowid & 134217727 AS pk FROM item_text
         WHERE item_text MATCH ? AND rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?`,
    ),
    complete: database
      .prepare<[string, string, number], string>(
        'SELECT word FROM item_word WHERE word >= ? AND word < ? ORDER BY length(word), word DESC LIMIT ?',
      )
      .pluck(),
    describe: database.prepare<[number], { collectionPk: number; itemId: string; datetime: number }>(
      'SELECT collection_pk AS collectionPk, id AS itemId, datetime_us AS datetime FROM item WHERE pk = ?',
    ),
  };
}
