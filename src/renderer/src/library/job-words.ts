import { isUnderWay, type OfflineJob, type TakenJob } from '#shared/offline/offline-job.ts';
import { formatBytes, formatRate } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatDuration } from '../format/format-time.ts';

const jobStateWords: Readonly<Record<OfflineJob['state'], string>> = {
  queued: 'Waits for its turn',
  running: 'Fetching',
  waiting: 'Waits for the catalog',
  paused: 'Paused',
  cancelled: 'Stopped',
  failed: 'Could not go on',
  done: 'Here',
};

/** The state of a job in a few words, and what became of what it brought. */
export function describeState({ state, evictedCount }: TakenJob): string {
  return state === 'done' && evictedCount > 0 ? 'Not all here any more' : jobStateWords[state];
}

/**
 * How far a job is from 0 to 1, over items and pictures; null while the number of items isn't known. What was evicted
 * is to come again.
 */
export function fractionOf(job: TakenJob): number | null {
  const { stage, state, itemCount, matched, pictureTotal, pictureCount, pictureFailedCount, hasPictures } =
    job;
  if (state === 'done' || stage === 'end')
    return itemCount === 0 ? 1 : Math.max(0, 1 - job.evictedCount / itemCount);
  const ofItems = stage === 'items' ? (matched === null || matched === 0 ? null : itemCount / matched) : 1;
  // What has stopped doesn't move.
  if (ofItems === null) return isUnderWay(job) ? null : 0;
  if (!hasPictures) return ofItems;
  const ofPictures = pictureTotal === 0 ? 0 : (pictureCount + pictureFailedCount) / pictureTotal;
  // A picture takes about as long as five items.
  return (Math.min(1, ofItems) + 5 * (stage === 'items' ? 0 : ofPictures)) / 6;
}

/** What came: `1,200 of about 4,000 items · 300 of 1,100 pictures · 12 files queued · 14 MB`. */
export function describeCame(job: OfflineJob): string {
  const { itemCount, matched, stage, pictureTotal, pictureCount, fileCount, receivedBytes } = job;
  const isCounting = stage === 'items' && matched !== null && matched > itemCount;
  return [
    isCounting
      ? `${formatCount(itemCount)} of about ${formatPlural(matched, 'item')}`
      : formatPlural(itemCount, 'item'),
    pictureTotal > 0 && stage !== 'items'
      ? pictureCount === pictureTotal
        ? formatPlural(pictureCount, 'picture')
        : `${formatCount(pictureCount)} of ${formatPlural(pictureTotal, 'picture')}`
      : null,
    fileCount > 0 ? `${formatPlural(fileCount, 'file')} queued` : null,
    receivedBytes > 0 ? formatBytes(receivedBytes) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

const stageNouns = { items: 'items', pictures: 'pictures', files: 'files', end: '' };

/** How it goes: `1.2 MB/s · about 2 min left for pictures`; empty while nothing is known. */
export function describePace({ state, stage, bytesPerSecond, leftMs }: OfflineJob): string {
  if (state !== 'running') return '';
  return [
    bytesPerSecond > 0 ? formatRate(bytesPerSecond) : null,
    leftMs === null || stage === 'end'
      ? null
      : `about ${formatDuration(leftMs / 1000)} left for ${stageNouns[stage]}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** What could not be had, or is no longer here, a sentence each. */
export function describeLosses(job: TakenJob): string[] {
  const { evictedCount, missedCount, pictureFailedCount, fileFailedCount } = job;
  return [
    evictedCount > 0
      ? `${formatPlural(evictedCount, 'item')} ${evictedCount === 1 ? 'was' : 'were'} evicted to keep the limits`
      : null,
    missedCount > 0 ? `${formatPlural(missedCount, 'item')} could not be read` : null,
    pictureFailedCount > 0 ? `${formatPlural(pictureFailedCount, 'picture')} could not be had` : null,
    fileFailedCount > 0 ? `the files of ${formatPlural(fileFailedCount, 'item')} could not be queued` : null,
  ].filter((sentence) => sentence !== null);
}
