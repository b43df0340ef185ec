import type { ErrorData } from '#shared/errors/app-error.ts';
import { offlineCountsSchema, type OfflineJob, type OfflineJobState } from '#shared/offline/offline-job.ts';
import { outlineQuestion, type QuestionOutline } from '#shared/search/question-outline.ts';
import type { OfflineProgress, StoredOfflineJob } from '../notebook/offline-job-store.ts';
import type { JobMeter } from './job-meter.ts';

/** What is known of a job only while it runs. */
export interface LiveJob {
  state: 'running' | 'waiting';
  error: ErrorData | null;
  progress: OfflineProgress;
  meter: JobMeter;
  /** What came since `progress`, and its bytes. */
  came: number;
  cameBytes: number;
  /** Ends the wait for the network. */
  wake: () => void;
}

// What a job asks never changes, its area may be long, and a window looks several times a second.
const outlines = new WeakMap<StoredOfflineJob['question'], QuestionOutline>();

/** A job as the window sees it. */
export function describeJob(job: StoredOfflineJob, live: LiveJob | null, nowMs: number): OfflineJob {
  const { jobId, name, question, choice, startedAtMs, finishedAtMs } = job;
  const outline = outlines.get(question) ?? outlineQuestion(question);
  outlines.set(question, outline);
  return {
    jobId,
    name,
    outline,
    hasPictures: choice.hasPictures,
    destination: choice.assets?.destination ?? null,
    state: stateOf(job, live),
    error: live ? live.error : job.error,
    ...describeProgress(live?.progress ?? job.progress, live),
    ...describeRate(live, nowMs),
    startedAt: new Date(startedAtMs).toISOString(),
    finishedAt: finishedAtMs === null ? null : new Date(finishedAtMs).toISOString(),
  };
}

function describeProgress(progress: OfflineProgress, live: LiveJob | null) {
  const { stage, searchNumber } = progress;
  const counts = { ...offlineCountsSchema.parse(progress), stage, searchNumber };
  // A round of pictures is noted when it is over.
  if (live === null || progress.stage !== 'pictures') return counts;
  return {
    ...counts,
    pictureCount: counts.pictureCount + live.came,
    receivedBytes: counts.receivedBytes + live.cameBytes,
  };
}

function describeRate(live: LiveJob | null, nowMs: number) {
  if (live?.state !== 'running') return { bytesPerSecond: 0, leftMs: null };
  const { meter, progress } = live;
  return { bytesPerSecond: meter.bytesPerSecond(nowMs), leftMs: meter.leftMs(progress, nowMs) };
}

function stateOf({ state }: StoredOfflineJob, live: LiveJob | null): OfflineJobState {
  if (state !== 'active') return state;
  return live?.state ?? 'queued';
}
