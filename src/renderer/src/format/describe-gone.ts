import { formatLongUtc } from './format-time.ts';

/** That the catalog has an item no more, and since when that is known. One that came from a file it may never have had. */
export function describeGone(goneAt: string, { isFromFile = false } = {}): string {
  const since = formatLongUtc(goneAt) ?? 'an unknown time';
  if (isFromFile)
    return `The catalog does not have this item, as of ${since}. This is what the file said of it.`;
  return `The catalog no longer has this item, as of ${since}. This is what the library keeps of it.`;
}
