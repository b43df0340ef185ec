import type { DownloadRule, RuleRun } from '#shared/transfer/download-rule.ts';
import { presentError } from '../errors/present-error.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatSince } from './describe-news.ts';

/** What a run of a rule did, in a sentence. */
export function describeRun(run: RuleRun, now: Date): string {
  const when = formatSince(run.at, now);
  if (run.error) {
    const { title, hint } = presentError(run.error);
    return `Nothing was queued ${when}. ${title}. ${hint}`;
  }
  if (run.isFirst) return `Took note of ${formatPlural(run.itemCount, 'item')} ${when}; new ones are queued.`;
  const queued =
    run.fileCount > 0
      ? `${formatPlural(run.fileCount, 'file')} queued ${when}, ${formatBytes(run.knownBytes)} announced`
      : `Nothing queued ${when}`;
  const left = run.leftCount > 0 ? `; ${formatPlural(run.leftCount, 'item')} left for the next run` : '';
  const large =
    run.tooLargeCount > 0 ? `; ${formatPlural(run.tooLargeCount, 'item')} over the limits left out` : '';
  return `${queued}${left}${large}.`;
}

/** A rule in a line below its saved search. */
export function describeRule({ isOn, lastRun }: DownloadRule, now: Date): string {
  if (!isOn) return 'Automatic download is off';
  return lastRun === null ? 'Downloads new items automatically' : `Automatic: ${describeRun(lastRun, now)}`;
}
