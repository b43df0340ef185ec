import type { Database } from 'better-sqlite3';
import { foldWord } from './split-words.ts';
import { WaitingTexts } from './waiting-texts.ts';
import { WordLearner } from './word-learner.ts';

/** Where an Item stands in the index. */
interface TextPlace {
  pk: number;
  /** Microseconds since 1970. */
  datetime: number;
}

/** An Item for the index. */
interface TextEntry extends TextPlace {
  collectionPk: number;
  words: string;
}

/** A word that only this program writes, so that what a collection is found by finds its Items. */
export function collectionWord(collectionPk: number): string {
  return `\u{E000}${String(collectionPk)}`;
}

/** Writes the full-text index. */
export class TextIndex {
  readonly #insert;
  readonly #delete;
  readonly #learner;
  readonly #added = new WaitingTexts();

  constructor(database: Database) {
    this.#insert = database.prepare<[number, Buffer]>(
      'INSERT INTO item_text (rowid, words) VALUES (CAST(? AS INTEGER), CAST(? AS TEXT))',
    );
    this.#delete = database.prepare<[number]>('DELETE FROM item_text WHERE rowid = CAST(? AS INTEGER)');
    const addWord = database.prepare<[string]>('INSERT OR IGNORE INTO item_word (word) VALUES (?)');
    this.#learner = new WordLearner((word) => addWord.run(foldWord(word)));
  }

  /** Notes an Item, to be written with the next `flush`. */
  add({ collectionPk, words, ...place }: TextEntry): void {
    this.#added.add({
      pk: place.pk,
      rowid: rowidOf(place),
      parts: [collectionWord(collectionPk), ' ', words],
    });
    this.#learner.learn(words);
  }

  /** Takes an Item out, or what was noted of it. */
  remove(place: TextPlace): void {
    if (!this.#added.remove(place.pk)) this.#delete.run(rowidOf(place));
  }

  /** Forgets what was noted, after the transaction failed. */
  clear(): void {
    this.#added.clear();
    this.#learner.clear();
  }

  /** Writes what was noted. In the order of the index, because it writes a new piece for each step back. */
  flush(): void {
    for (const [rowid, words] of this.#added.inOrder()) this.#insert.run(rowid, words);
    this.#added.clear();
  }
}

const pkBits = 2 ** 27;

// Hours since 1900 above the row number: the index gives what is most recent first, and ends when it has enough. Seconds
// would make it twice as large. As item_text_on_delete has it.
function rowidOf({ pk, datetime }: TextPlace): number {
  return Math.max(0, Math.trunc(datetime / 3.6e9) + 613_608) * pkBits + pk;
}
