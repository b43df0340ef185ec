import { formatLongUtc } from './format-time.ts';

/** That the catalog has an item no more, and since when that is known. */
export function describeGone(goneAt: string): string {
  const since = formatLongUtc(goneAt) ?? 'an unknown time';
  return `The catalog no longer has this item, as of ${since}. This is what the library keeps of it.`;
}
