import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Todo } from '../notebook/offline-job-store.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';

/** Pictures asked for together: their links come with one search. */
const picturesPerRound = 50;

interface Failure {
  todo: Todo;
  error: AppError;
}
type Outcome = { todo: Todo; bytes: number } | Failure;

/**
 * Fetches the pictures of the Items into the library. One that can't be had is passed over and counted; where none of
 * many can be, or the catalog can't be reached either, it is the network's doing, and they stay to be fetched.
 * @throws AppError what the network failed with
 */
export async function collectPictures(run: JobRun): Promise<void> {
  const { store, job } = run;
  for (;;) {
    run.signal.throwIfAborted();
    const round = store.nextTodo(job.jobId, 'picture', picturesPerRound);
    if (round.length === 0) break;
    const outcomes = await collectEach(run, round);
    const passing = outcomes.filter(isPassingFailure);
    const trouble = passing.length === round.length ? passing[0]?.error : await findTrouble(run, passing);
    const again = trouble
      ? []
      : await collectEach(
          run,
          passing.map(({ todo }) => todo),
        );
    const others = outcomes.filter((one) => !isPassingFailure(one));
    settle(run, [...others, ...again]);
    if (trouble) throw trouble;
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

async function collectEach(run: JobRun, todos: readonly Todo[]): Promise<Outcome[]> {
  const outcomes = await Promise.all(todos.map((todo) => collectOne(run, todo)));
  run.signal.throwIfAborted();
  return outcomes;
}

/** Asks the catalog whether the network went in the middle of a round, or those pictures' own server did. */
async function findTrouble({ source }: JobRun, [first]: readonly Failure[]): Promise<AppError | null> {
  if (!first) return null;
  try {
    await source.connection.ask((catalog) => catalog.item(first.todo.ref));
    return null;
  } catch (thrown) {
    const error = toAppError(thrown);
    return isPassing(error) ? error : null;
  }
}

function isPassingFailure(outcome: Outcome): outcome is Failure {
  return 'error' in outcome && isPassing(outcome.error);
}

function settle(run: JobRun, outcomes: readonly Outcome[]): void {
  const done = outcomes.filter((one) => 'bytes' in one);
  const failed = outcomes.filter((one) => 'error' in one);
  const { progress } = run;
  run.progress = {
    ...progress,
    pictureCount: progress.pictureCount + done.length,
    pictureFailedCount: progress.pictureFailedCount + failed.length,
    receivedBytes: progress.receivedBytes + done.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const settled = {
    kind: 'picture' as const,
    done: done.map(({ todo }) => todo.position),
    failed: failed.map(({ todo }) => todo.position),
  };
  run.store.settleTodo(run.job.jobId, settled, run.progress);
}
