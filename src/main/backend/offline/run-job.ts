import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { waitForTimer } from '../http/wait.ts';
import { isProcessAlive } from '../is-process-alive.ts';
import type { OfflineProgress, StoredOfflineJob } from '../notebook/offline-job-store.ts';
import { checkWhole } from './check-whole.ts';
import { collectItems } from './collect-items.ts';
import { collectPictures } from './collect-pictures.ts';
import { collectQueryables } from './collect-queryables.ts';
import type { LiveJob } from './describe-job.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';
import { queueFiles } from './queue-files.ts';
import type { TakeOfflineParts } from './take-offline.ts';
import { whileSameConnection } from './while-same-connection.ts';

const firstDelayMs = 5000;
const maxDelayMs = 5 * 60_000;
/** A program that is at a job tells so with each page, with each round of pictures, and when it begins anew after a wait. */
const longestSilenceMs = 3 * maxDelayMs;

/** A job that is run, or waits for the network. */
export interface RunningJob extends LiveJob {
  jobId: number;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Brings a job to its end, whatever the network does meanwhile; ends early when it was stopped. Notes what failed for
 * good. `tell` is called when there is something to see.
 * @throws AppError `library.*` when not even that can be noted
 */
export async function runJob(running: RunningJob, parts: TakeOfflineParts, tell: () => void): Promise<void> {
  const { store, clock, logger } = parts;
  const { jobId } = running;
  const hasToStop = (): boolean => running.abort.signal.aborted;
  let failures = 0;
  while (!hasToStop()) {
    // Another program may have gone on with it meanwhile.
    const job = store.find(jobId);
    if (job?.state !== 'active') return;
    const before = countDone(job.progress);
    try {
      checkAlone(job.progress, clock.now());
      running.progress = { ...job.progress, runnerPid: process.pid, seenAtMs: clock.now() };
      store.saveProgress(jobId, running.progress);
      if (!(await runStages(job, { running, parts, tell }))) continue;
      store.setState(job.jobId, 'done', { error: null, nowMs: clock.now() });
      return;
    } catch (thrown) {
      if (hasToStop()) return;
      const error = toAppError(thrown);
      if (!isPassing(error) && error.code !== 'library.in-use') {
        logger.warn('not taken offline', { jobId: job.jobId, code: error.code, message: error.message });
        noteFailure(job.jobId, error, parts);
        return;
      }
      failures = countDone(running.progress) === before ? failures + 1 : 1;
      Object.assign(running, { state: 'waiting', error: error.toData() });
      tell();
      await waitUntilWorthIt(running, parts, { connectionId: job.connectionId, error, failures });
      Object.assign(running, { state: 'running', error: null });
    }
  }
}

function noteFailure(jobId: number, error: AppError, { store, clock }: TakeOfflineParts): void {
  try {
    store.setState(jobId, 'failed', { error: error.toData(), nowMs: clock.now() });
  } catch {
    // Noted nowhere, what it failed of is the more to be told.
    throw error;
  }
}

interface JobParts {
  running: RunningJob;
  parts: TakeOfflineParts;
  tell: () => void;
}

/** False where it has to be taken up again, with another connection. */
async function runStages(job: StoredOfflineJob, jobParts: JobParts): Promise<boolean> {
  const { running, parts } = jobParts;
  const { catalogs } = parts;
  const source = catalogs.open(job.connectionId);
  return whileSameConnection(source, { catalogs, signal: running.abort.signal }, async (signal) => {
    const run = toRun(job, jobParts, { source, signal });
    if (run.progress.stage === 'items') {
      await collectQueryables(run);
      await collectItems(run);
    }
    if (run.progress.stage === 'pictures') await collectPictures(run);
    if (run.progress.stage === 'files') await queueFiles(run);
    checkWhole(run.progress);
  });
}

function toRun(
  job: StoredOfflineJob,
  { running, parts, tell }: JobParts,
  { source, signal }: Pick<JobRun, 'source' | 'signal'>,
): JobRun {
  const { store, downloads, clock } = parts;
  const thumbnails = parts.thumbnailsOf(job.connectionId);
  if (!thumbnails) throw new AppError('internal', 'There are no pictures of that catalog');
  return {
    job,
    source,
    thumbnails,
    downloads,
    store,
    clock,
    signal,
    get progress() {
      return running.progress;
    },
    set progress(progress) {
      Object.assign(running, { progress: { ...progress, seenAtMs: clock.now() }, came: 0, cameBytes: 0 });
      tell();
    },
    onCame: (came) => {
      running.meter.count(came, clock.now());
      running.came += came.count;
      running.cameBytes += came.bytes;
      tell();
    },
  };
}

/** Until the catalog answers again, a while has passed, or a person asks for it. */
async function waitUntilWorthIt(
  running: RunningJob,
  { catalogs, wait = waitForTimer }: TakeOfflineParts,
  trouble: { connectionId: string; error: AppError; failures: number },
): Promise<void> {
  const { connectionId, error, failures } = trouble;
  const asked = error.details['retryAfterMs'];
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
  const ended = new AbortController();
  const isOnline = (): boolean => {
    try {
      return catalogs.open(connectionId).connection.status.state === 'online';
    } catch {
      return false;
    }
  };
  const wasOnline = isOnline();
  const wake = (): void => ended.abort();
  running.wake = wake;
  running.abort.signal.addEventListener('abort', wake, { once: true });
  const stop = catalogs.onChange(() => !wasOnline && isOnline() && wake());
  try {
    await wait(typeof asked === 'number' ? Math.max(asked, delayMs) : delayMs, ended.signal);
  } catch {
    // Woken.
  } finally {
    stop();
    running.abort.signal.removeEventListener('abort', wake);
  }
}

// The window and the command line may be open at once. One that gave no sign for long was ended by a crash or a power
// cut: its number may be another process's by now.
function checkAlone({ runnerPid, seenAtMs }: OfflineProgress, nowMs: number): void {
  if (runnerPid === null || runnerPid === process.pid || !isProcessAlive(runnerPid)) return;
  if (Math.abs(nowMs - seenAtMs) > longestSilenceMs) return;
  throw new AppError('library.in-use', 'Another Swath is taking this offline', { retryable: true });
}

// More of it than before: then the trouble is a new one.
function countDone({ itemCount, pictureCount, fileCount }: OfflineProgress): number {
  return itemCount + pictureCount + fileCount;
}
