import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Todo } from '../notebook/offline-job-store.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';

/** Pictures asked for together: their links come with one search. */
const picturesPerRound = 50;

type Outcome = { todo: Todo } & ({ bytes: number } | { error: AppError });

/**
 * Fetches the pictures of the Items into the library. One that can't be had is passed over and counted; where none of
 * many can be, it is the network's doing.
 * @throws AppError what all pictures of a round failed with
 */
export async function collectPictures(run: JobRun): Promise<void> {
  const { store, job } = run;
  for (;;) {
    run.signal.throwIfAborted();
    const round = store.nextTodo(job.jobId, 'picture', picturesPerRound);
    if (round.length === 0) break;
    const outcomes = await Promise.all(round.map((todo) => collectOne(run, todo)));
    run.signal.throwIfAborted();
    settle(run, outcomes);
  }
  run.progress = { ...run.progress, stage: 'files' };
  store.saveProgress(job.jobId, run.progress);
}

async function collectOne(run: JobRun, todo: Todo): Promise<Outcome> {
  try {
    const isThere = run.source.library.thumbnail(todo.ref) !== null;
    const picture = await run.thumbnails.fetch(todo.ref, run.signal);
    const bytes = isThere ? 0 : (picture?.bytes.length ?? 0);
    run.onCame({ count: 1, bytes });
    return { todo, bytes };
  } catch (thrown) {
    return { todo, error: toAppError(thrown) };
  }
}

function settle(run: JobRun, outcomes: readonly Outcome[]): void {
  const done = outcomes.filter((one) => 'bytes' in one);
  const failed = outcomes.filter((one) => 'error' in one);
  const isNetwork = done.length === 0 && failed.every(({ error }) => isPassing(error));
  const bytes = done.reduce((sum, one) => sum + one.bytes, 0);
  const { progress } = run;
  run.progress = {
    ...progress,
    pictureCount: progress.pictureCount + done.length,
    pictureFailedCount: progress.pictureFailedCount + (isNetwork ? 0 : failed.length),
    receivedBytes: progress.receivedBytes + bytes,
  };
  const settled = {
    kind: 'picture' as const,
    done: done.map(({ todo }) => todo.position),
    failed: isNetwork ? [] : failed.map(({ todo }) => todo.position),
  };
  run.store.settleTodo(run.job.jobId, settled, run.progress);
  if (isNetwork && failed[0]) throw failed[0].error;
}
