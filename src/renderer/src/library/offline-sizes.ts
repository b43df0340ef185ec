import type { OfflineEstimate, OfflineSize } from '#shared/offline/offline-estimate.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatDuration } from '../format/format-time.ts';
import type { AssetTotal } from '../state/asset-choice-state.svelte.ts';

/** Files of all items, and how many of them don't say how large they are. */
export interface FilesSize {
  count: number;
  knownBytes: number;
  unknownCount: number;
}

/** What would be fetched; null where it isn't wanted or isn't known. */
export interface WishedSizes {
  items: OfflineSize | null;
  pictures: OfflineSize | null;
  files: FilesSize | null;
}

/** What a rule chooses of the items that were looked at, as if all others were like them; null where nothing tells. */
export function filesOf(
  { itemCount, sampleCount }: Pick<OfflineEstimate, 'itemCount' | 'sampleCount'>,
  total: AssetTotal | null,
): FilesSize | null {
  if (!total || itemCount === null || sampleCount === 0) return null;
  const share = itemCount / sampleCount;
  return {
    count: Math.round(total.fileCount * share),
    knownBytes: Math.round(total.knownBytes * share),
    unknownCount: Math.round(total.unknownCount * share),
  };
}

/** All of it in a line: `4,000 items · about 120 MB · about 3 min`. */
export function sumUp({ items, pictures, files }: WishedSizes): string {
  if (!items) return '';
  const parts = [items, pictures].filter((part) => part !== null);
  const bytes = parts.reduce((sum, part) => sum + (part.bytes ?? 0), files?.knownBytes ?? 0);
  const durationMs = parts.reduce((sum, part) => sum + (part.durationMs ?? 0), 0);
  const isMore = parts.some((part) => part.bytes === null) || (files !== null && files.unknownCount > 0);
  return [
    formatPlural(items.count, 'item'),
    `${isMore ? 'more than' : 'about'} ${formatBytes(bytes)}`,
    `about ${formatDuration(durationMs / 1000)}${files !== null && files.count > 0 ? ' and the files' : ''}`,
  ].join(' · ');
}

/** One line of the table: how many, how large, how long. */
export function describeSize({ count, bytes, durationMs }: OfflineSize, noun: string): string[] {
  return [
    formatPlural(count, noun),
    bytes === null ? 'size unknown' : formatBytes(bytes),
    durationMs === null ? 'time unknown' : formatDuration(durationMs / 1000),
  ];
}

/** The line of the files. How long they take shows when the first arrive: their storage is another server. */
export function describeFilesSize({ count, knownBytes, unknownCount }: FilesSize): string[] {
  const size = unknownCount === count && count > 0 ? 'size unknown' : formatBytes(knownBytes);
  const unknown =
    unknownCount > 0 && unknownCount < count
      ? ` and ${formatPlural(unknownCount, 'file')} of unknown size`
      : '';
  return [formatPlural(count, 'file'), `${size}${unknown}`, 'time shows as they come'];
}
