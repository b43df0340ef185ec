import type { Database } from 'better-sqlite3';
import { foldWord, isCommonKind } from './split-words.ts';
import { WaitingTexts } from './waiting-texts.ts';
import { WordCounts } from './word-counts.ts';

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
  readonly #addWord;
  readonly #offeredWords = new Set<string>();
  readonly #counts = new WordCounts();
  /** Texts of which every word is offered: most properties say the same of many Items. */
  readonly #offeredTexts = new Set<string>();
  readonly #added = new WaitingTexts();

  constructor(database: Database) {
    this.#insert = database.prepare<[number, string]>(
      'INSERT INTO item_text (rowid, words) VALUES (CAST(? AS INTEGER), ?)',
    );
    this.#addWord = database.prepare<[string]>('INSERT OR IGNORE INTO item_word (word) VALUES (?)');
    this.#delete = database.prepare<[number]>('DELETE FROM item_text WHERE rowid = CAST(? AS INTEGER)');
  }

  /** Notes an Item, to be written with the next `flush`. */
  add({ collectionPk, words, ...place }: TextEntry): void {
    const text = `${collectionWord(collectionPk)} ${words}`;
    this.#added.add({ pk: place.pk, rowid: rowidOf(place), text });
  }

  /** Takes an Item out, or what was noted of it. */
  remove(place: TextPlace): void {
    if (!this.#added.remove(place.pk)) this.#delete.run(rowidOf(place));
  }

  #learnText(text: string): void {
    let isOffered = true;
    for (const word of text.match(asciiOnly.test(text) ? asciiWords : allWords) ?? [])
      isOffered = (this.#offeredWords.has(word) || this.#offer(word)) && isOffered;
    if (!isOffered) return;
    if (this.#offeredTexts.size >= maxOfferedTexts) this.#offeredTexts.clear();
    this.#offeredTexts.add(text);
  }

  // Whether it is worth being offered.
  #offer(word: string): boolean {
    if (!isCommonKind(word) && this.#counts.add(word) < frequentFrom) return false;
    if (this.#offeredWords.size >= maxOfferedWords) this.#offeredWords.clear();
    this.#offeredWords.add(word);
    this.#addWord.run(foldWord(word));
    return true;
  }

  /** Forgets what was noted, after the transaction failed. */
  clear(): void {
    this.#added.clear();
    this.#offeredWords.clear();
    this.#offeredTexts.clear();
  }

  /** Writes what was noted. In the order of the index, because it writes a new piece for each step back. */
  flush(): void {
    for (const [rowid, words] of this.#added.inOrder()) {
      this.#insert.run(rowid, words);
      // The first is the word of its collection.
      const [, ...texts] = words.split(' ');
      for (const text of texts) if (!this.#offeredTexts.has(text)) this.#learnText(text);
    }
    this.#added.clear();
  }
}

// Quicker than to fold every word before it is looked up.
const allWords = /[\p{L}\p{N}]+/gu;
// The same for most texts, at a fraction of the time.
const asciiWords = /[A-Za-z0-9]+/g;
const asciiOnly = /^[\0-\x7f]*$/;
/** A word of any kind that so many Items have is offered for its beginning, which would take long to look through. */
const frequentFrom = 50;
const maxOfferedWords = 200_000;
const maxOfferedTexts = 10_000;
const pkBits = 2 ** 27;

// Hours since 1900 above the row number: the index gives what is most recent first, and ends when it has enough. Seconds
// would make it twice as large. As item_text_on_delete has it.
function rowidOf({ pk, datetime }: TextPlace): number {
  return Math.max(0, Math.trunc(datetime / 3.6e9) + 613_608) * pkBits + pk;
}
