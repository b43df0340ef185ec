/** Keeps both ends of a long id, where items of one pass differ: `S2B_MSIL2A_20260714…_T31UFP`. */
export function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const tail = Math.floor((maxLength - 1) / 3);
  return `${text.slice(0, maxLength - 1 - tail)}…${text.slice(text.length - tail)}`;
}
