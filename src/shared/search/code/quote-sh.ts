/** A text as one word of a POSIX shell, which expands nothing in it. */
export function quoteSh(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
