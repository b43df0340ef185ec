import { WordCounts } from './word-counts.ts';

/** A word of any kind that so many Items have is offered for its beginning, which would take long to look through. */
const frequentFrom = 50;
const mostRemembered = 2 ** 17;

/**
 * Reads the texts of Items for words worth offering for their beginnings: those of few kinds, and frequent ones of any.
 * Every word of every Item goes through here, and hardly any is new: so they are told by two hashes, without a string for
 * each.
 */
export class WordLearner {
  readonly #offer: (word: string) => void;
  readonly #counts = new WordCounts();
  /** Both hashes of words that were offered, in the place of the first: another word may push one out. */
  readonly #offered = new Int32Array(2 * mostRemembered);

  /** `offer` is given a word once, and again when that was long ago. */
  constructor(offer: (word: string) => void) {
    this.#offer = offer;
  }

  /** Reads a text. */
  learn(text: string): void {
    for (let start = 0; start < text.length; start++) {
      let end = start;
      while (isInWord[text.charCodeAt(end)] === 1) end += 1;
      if (text.charCodeAt(end) > lastAscii) {
        this.#learnAny(text.slice(start));
        return;
      }
      if (end > start) this.#note(text, start, end);
      start = end;
    }
  }

  /** Forgets what was offered, after the transaction failed. */
  clear(): void {
    this.#offered.fill(0);
  }

  // Letters beyond ASCII take ten times as long to tell from others.
  #learnAny(text: string): void {
    for (const { 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) this.#note(word, 0, word.length);
  }

  #note(text: string, start: number, end: number): void {
    let first = 0x811c9dc5 | 0;
    let second = 0;
    let digitCount = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      // FNV-1a, and the one of Java's strings.
      first = Math.imul(first ^ code, 0x01000193);
      second = (Math.imul(second, 31) + code) | 0;
      digitCount += Number(code >= 48 && code <= 57);
    }
    const place = 2 * ((first ^ (first >>> 15)) & (mostRemembered - 1));
    if (this.#offered[place] === first && this.#offered[place + 1] === second) return;
    if (!isCommonKind(end - start, digitCount) && this.#counts.add(first) < frequentFrom) return;
    this.#offered[place] = first;
    this.#offered[place + 1] = second;
    this.#offer(text.slice(start, end));
  }
}

// Whether a word is one of few, so that it can be offered for its beginning; ids and times of day are not.
function isCommonKind(length: number, digitCount: number): boolean {
  if (length > 24) return false;
  return length <= 5 || (length <= 8 && digitCount === length) || digitCount === 0;
}

const lastAscii = 0x7f;
const isInWord = Uint8Array.from({ length: lastAscii + 1 }, (_, code) =>
  Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))),
);
