import { formatCount } from '../format/format-number.ts';
import type { ItemFiles } from '../state/item-files.ts';

/** What is said of an Item's files in a row of results. */
export interface ItemFilesWords {
  /** `3 files here, 1 on its way`. */
  sentence: string;
  /** How many there are in all. */
  count: string;
  tone: 'ok' | 'plain' | 'bad';
}

/** What became of an Item's files in words; null where none was ordered. */
export function describeItemFiles({
  broughtCount,
  comingCount,
  failedCount,
}: ItemFiles): ItemFilesWords | null {
  const all = broughtCount + comingCount + failedCount;
  if (all === 0) return null;
  const parts = [
    { count: broughtCount, words: 'brought home' },
    { count: comingCount, words: comingCount === 1 ? 'on its way' : 'on their way' },
    { count: failedCount, words: 'failed or lost' },
  ].filter(({ count }) => count > 0);
  const [first, ...others] = parts.map(({ count, words }, index) => {
    const files = index > 0 ? '' : count === 1 ? ' file' : ' files';
    return `${formatCount(count)}${files} ${words}`;
  });
  const tone = failedCount > 0 ? 'bad' : comingCount > 0 ? 'plain' : 'ok';
  return { sentence: [first, ...others].join(', '), count: formatCount(all), tone };
}
