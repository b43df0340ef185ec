/** Letters and figures in a row: what the index takes for one word too. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** As the index folds a word: case and accents make no difference. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Whether a word is one of few, so that it can be offered for its beginning; ids and times of day are not. */
export function isCommonKind(word: string): boolean {
  if (word.length > 24) return false;
  return word.length <= 5 || (word.length <= 8 && /^\d+$/.test(word)) || !/\d/.test(word);
}
