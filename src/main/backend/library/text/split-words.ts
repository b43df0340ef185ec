/** Letters and figures in a row: what the index takes for one word too. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** As the index folds a word: case and accents make no difference. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
