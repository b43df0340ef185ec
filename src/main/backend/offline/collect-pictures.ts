import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import type { Todo } from '../notebook/offline-job-store.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';
import { judgePage } from './judge-page.ts';
import { toWholeQuery } from './whole-query.ts';

/** Pictures asked for together: their links come with one search. */
const picturesPerRound = 50;

interface Failure {
  todo: Todo;
  error: AppError;
}
type Outcome = { todo: Todo; bytes: number } | Failure;

/**
 * Fetches the pictures of the Items into the library. One that can't be had is passed over and counted; where none of
 * many can be, or the catalog doesn't answer as it did, it is the network's doing or the login's, and they stay to be
 * fetched.
 * @throws AppError what the network failed with, or the catalog
 */
export async function collectPictures(run: JobRun): Promise<void> {
  const { store, job } = run;
  for (;;) {
    run.signal.throwIfAborted();
    const round = store.nextTodo(job.jobId, 'picture', picturesPerRound);
    if (round.length === 0) break;
    const failed = await collectSome(run, round, round.length);
    // The network may have been away for a moment.
    const again = failed.filter((failure) => !isRefused(failure)).map(({ todo }) => todo);
    settle(run, [...failed.filter(isRefused), ...(await collectSome(run, again, round.length))]);
  }
  run.progress = { ...run.progress, stage: 'files' };
  store.saveProgress(job.jobId, run.progress);
}

/** Fetches some pictures of a round; returns which of them failed while the catalog is well. */
async function collectSome(run: JobRun, todos: readonly Todo[], roundLength: number): Promise<Failure[]> {
  const outcomes = await Promise.all(todos.map((todo) => collectOne(run, todo)));
  run.signal.throwIfAborted();
  const failed = outcomes.filter((outcome) => 'error' in outcome);
  settle(
    run,
    outcomes.filter((outcome) => 'bytes' in outcome),
  );
  const trouble = await findTrouble(run, failed, roundLength);
  if (trouble) throw trouble;
  return failed;
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

/** Whether the picture's own server has said that it can't be had. */
function isRefused({ error: { code, details } }: Failure): boolean {
  const { status } = details;
  return code === 'http.unexpected-status' && typeof status === 'number' && status < 500;
}

/** What keeps pictures from coming beside what is wrong with each: the network, or a catalog that wants a login. */
async function findTrouble(
  run: JobRun,
  failed: readonly Failure[],
  roundLength: number,
): Promise<AppError | null> {
  const [first] = failed;
  if (!first) return null;
  const isOfAll =
    failed.length === roundLength && failed.every(({ error }) => isPassing(error) && !needsLogin(error));
  if (isOfAll) return first.error;
  return (await findCatalogTrouble(run)) ?? failed.find(isHeldBack)?.error ?? null;
}

/** Whether the catalog was not asked at all: it wanted a login just before, and has not been asked since. */
function isHeldBack({ error }: Failure): boolean {
  return needsLogin(error) && typeof error.details['retryAfterMs'] === 'number';
}

/** Asks the catalog what it has answered for this job already. */
async function findCatalogTrouble({ source, job, signal }: JobRun): Promise<AppError | null> {
  const question = { ...toWholeQuery(job.question.query), limit: 1 };
  try {
    await source.connection.ask((catalog) => catalog.search(question).next({ signal }));
    return null;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = await judgePage(source.connection, thrown);
    if (isPassing(error)) return error;
    const { code, message, details } = error;
    // It was let in before.
    return code === 'auth.forbidden'
      ? new AppError(code, message, { details, retryable: true, cause: error })
      : null;
  }
}

function settle(run: JobRun, outcomes: readonly Outcome[]): void {
  if (outcomes.length === 0) return;
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
