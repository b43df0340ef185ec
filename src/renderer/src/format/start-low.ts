/** Words for the middle of a line: `Goes on at 14:09 UTC` as `goes on at 14:09 UTC`. */
export function startLow(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}
