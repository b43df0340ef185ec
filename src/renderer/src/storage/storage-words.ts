import type {
  EvictionPreview,
  LibraryFile,
  NotebookRecovery,
  StorageOutcome,
  StorageStatus,
} from '#shared/storage/storage.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatLongUtc } from '../format/format-time.ts';

type Recovery = NonNullable<LibraryFile['recovery']>;

/** What is being done, with its end open. */
export function describeRunning({ kind }: NonNullable<StorageStatus['running']>): string {
  return {
    verify: 'Checking the library',
    compact: 'Compacting the library',
    evict: 'Evicting the oldest items',
    'back-up': 'Backing up',
    restore: 'Restoring from the backup',
    move: 'Moving the libraries',
    rebuild: 'Rebuilding the library',
  }[kind];
}

const stopped: Readonly<Record<StorageOutcome['kind'], string>> = {
  verify: 'The check was stopped.',
  compact: 'Compacting was stopped. The library is as it was.',
  evict: 'Evicting was stopped. What is gone already stays gone.',
  'back-up': 'The backup was stopped, and what there was of it removed.',
  restore: 'Restoring was stopped. The libraries are as they were.',
  move: 'Moving was stopped. The libraries are where they were.',
  rebuild: 'Rebuilding was stopped; it goes on at the next start.',
};

/** How the last thing ended, where it ended well or was stopped. */
export function describeOutcome({ kind, state, facts }: StorageOutcome): string {
  if (state === 'stopped') return stopped[kind];
  const number = (name: string): number => Number(facts[name] ?? 0);
  const text = (name: string): string => String(facts[name] ?? '');
  const libraries = formatPlural(number('libraryCount'), 'library', 'libraries');
  if (facts['isUndone'] === true) return `Taken back: ${libraries} as before.`;
  switch (kind) {
    case 'verify':
      return describeCheck(facts);
    case 'compact':
      return number('gainBytes') > 0
        ? `${formatBytes(number('gainBytes'))} given back. The file takes ${formatBytes(number('afterBytes'))} now.`
        : 'There was nothing to give back.';
    case 'evict':
      return number('itemCount') === 0
        ? 'Nothing had to go.'
        : `${formatPlural(number('itemCount'), 'item')} evicted, ${formatBytes(number('sizeBytes'))}. Compacting gives the room back to the disk.`;
    case 'back-up':
      return `${libraries} with ${formatPlural(number('itemCount'), 'item')} and the notebook copied and checked, ${formatBytes(number('sizeBytes'))}: ${text('folder')}`;
    case 'restore':
      return `${libraries} with ${formatPlural(number('itemCount'), 'item')} restored. What was there before lies beside it.${describeNotebook(facts)}`;
    case 'move':
      return `${libraries} moved to ${text('to')}.${describeLeft(facts)}`;
    case 'rebuild':
      return `${formatPlural(number('items'), 'item')} brought into a new file. The old one lies in ${text('damagedPath')}.`;
  }
}

function describeLeft({ leftCount, from }: StorageOutcome['facts']): string {
  if (!Number(leftCount ?? 0)) return '';
  return ` The old files in ${String(from)} can’t be removed now; Swath tries again at each start.`;
}

function describeNotebook(facts: StorageOutcome['facts']): string {
  if (facts['hasNotebook'] !== true) return '';
  return ' Saved searches, areas, rules and pins of the backup are taken up when Swath starts the next time.';
}

function describeCheck(facts: StorageOutcome['facts']): string {
  const count = Number(facts['problemCount'] ?? 0);
  const read = `${formatPlural(Number(facts['readCount'] ?? 0), 'item')} read`;
  if (count === 0) return `The library is sound: pages, indexes and references checked, ${read}.`;
  const kinds = [
    ['structure', 'damaged pages or indexes'],
    ['reference', 'rows that refer to nothing'],
    ['unreadable-item', 'items that can’t be read'],
    ['wrong-column', 'items whose index differs from their content'],
  ] as const;
  const found = kinds.filter(([kind]) => facts[kind] !== undefined).map(([, words]) => words);
  return `${formatPlural(count, 'problem')} found: ${found.join(', ')}. Rebuild it to bring all that can be read into a new file.`;
}

/** What became of a damaged library. */
export function describeRecovery({ counts, lostItemCount, damagedPath, fraction }: Recovery): string {
  const found = `${formatPlural(counts.items, 'item')}, ${formatPlural(counts.thumbnails, 'picture')} and ${formatPlural(counts.searches, 'search', 'searches')}`;
  if (fraction < 1) return `Bringing back what can be read, while you work: ${found} so far.`;
  const lost =
    lostItemCount === 0 ? '' : ` At least ${formatPlural(lostItemCount, 'item')} could not be read.`;
  return `${found} were brought into a new library.${lost} The damaged file lies in ${damagedPath}`;
}

/** What came back of a damaged notebook, and what not. */
export function describeNotebookRecovery({ counts, damagedPath }: NotebookRecovery): string {
  const { searches, looks, rules, jobs, areas, pins } = counts;
  const found = `${formatPlural(searches, 'saved search', 'saved searches')}, ${formatPlural(areas, 'area')}, ${formatPlural(pins, 'pin')}, ${formatPlural(rules, 'rule')} and ${formatPlural(jobs, 'job')} of Take offline came into a new one.`;
  const anew = [
    ...describeLooks(searches, looks),
    ...(rules > 0 ? ['Rules count what is there at their next run as known, and don’t queue it.'] : []),
    ...(jobs > 0 ? ['What was still being taken offline is looked through once more.'] : []),
  ];
  return [found, ...anew, `The damaged file lies in ${damagedPath}`].join(' ');
}

function describeLooks(searches: number, looks: number): string[] {
  const lost = searches - looks;
  const which = looks === 0 ? '' : ` in ${formatPlural(lost, 'saved search', 'saved searches')}`;
  return [
    ...(lost > 0 ? [`What is new since your last look${which} isn’t known any more.`] : []),
    ...(looks > 0 ? ['Some of what you have seen may be called new once more.'] : []),
  ];
}

/** What limits would evict. */
export function describePreview(preview: EvictionPreview): string {
  const { itemCount, sizeBytes, untilMs, pinnedCount, overLimitBytes } = preview;
  const until = untilMs === null ? null : formatLongUtc(new Date(untilMs).toISOString());
  const pinned =
    pinnedCount === 0
      ? ''
      : ` ${formatPlural(pinnedCount, 'item')} always ${pinnedCount === 1 ? 'stays' : 'stay'}: pinned, taken offline or downloaded.`;
  const over =
    overLimitBytes < 1000
      ? ''
      : ` ${formatBytes(overLimitBytes)} more than the limit remains, as it always stays or is no item.`;
  if (itemCount === 0) return `Nothing would go.${pinned}${over}`;
  return `About ${formatPlural(itemCount, 'item')} would go, ${formatBytes(sizeBytes)}, fetched until ${until ?? 'now'}. Files that were brought home stay.${pinned}${over}`;
}
