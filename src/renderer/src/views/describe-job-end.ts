import { AppError } from '#shared/errors/app-error.ts';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import { presentError } from '../errors/present-error.ts';
import { describeLosses } from '../library/job-words.ts';
import type { NoticeContent } from '../state/notices-state.svelte.ts';

/** How a job ended that took something offline, where nobody may have looked meanwhile. */
export function describeJobEnd(job: OfflineJob): Pick<NoticeContent, 'tone' | 'text' | 'hint'> {
  // Nothing is evicted of it yet.
  const losses = describeLosses({ ...job, evictedCount: 0 }).join(', ');
  if (job.state === 'done' && losses === '')
    return { tone: 'ok', text: `“${job.name}” is here, with no network too` };
  const why = job.error && presentError(AppError.fromData(job.error));
  // What failed at its end has come as far as the catalog let it.
  const isInPart = job.state === 'done' || job.stage === 'end';
  return {
    tone: 'bad',
    text: isInPart ? `“${job.name}” is here in part` : `“${job.name}” could not be taken offline`,
    hint: why
      ? [`${why.title}. ${why.hint}`, ...(losses === '' ? [] : [`And ${losses}.`])].join(' ')
      : `But ${losses}. “Show” leads to where it can be tried again.`,
  };
}
