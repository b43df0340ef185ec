import type { ItemPage, ItemPages } from '../catalog/catalog-client.ts';
import { anew } from '../notebook/offline-job-store.ts';
import { DeadEnd } from './dead-end.ts';
import { findRecord } from './find-record.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';
import { judgePage } from './judge-page.ts';
import { takePage } from './take-page.ts';
import { nameFields, toWholeQuery } from './whole-query.ts';

/** Items a page, where the question doesn't say. */
const itemsPerPage = 200;
const namesPerPage = 500;

/**
 * Fetches every Item of the question into the library, page after page. Goes on after the last page that is there; where
 * the catalog no longer knows that place, from the first page on, and then only what is missing is fetched whole.
 * @throws AppError as `ItemPages.next` and `Library.saveItems`
 */
export async function collectItems(run: JobRun): Promise<void> {
  try {
    await goThroughPages(run);
  } catch (thrown) {
    if (!(thrown instanceof DeadEnd)) throw thrown;
    beginAnew(run);
    await goThroughPages(run);
  }
}

/** Forgets how far paging has come; what the library has by then is not fetched again. */
export function beginAnew(run: Pick<JobRun, 'job' | 'store' | 'progress'>): void {
  run.progress = anew(run.progress);
  run.store.clearTodo(run.job.jobId);
  run.store.saveProgress(run.job.jobId, run.progress);
}

async function goThroughPages(run: JobRun): Promise<void> {
  const { source, signal } = run;
  const { catalog } = await source.connection.access();
  if (isLost(run, catalog.baseUrl)) beginAnew(run);
  const { isCatchingUp, next } = run.progress;
  const whole = toWholeQuery(run.job.question.query);
  const query = isCatchingUp
    ? { ...whole, fields: nameFields, limit: namesPerPage }
    : { ...whole, limit: whole.limit ?? itemsPerPage };
  const pages = catalog.search(query, next ? { resumeFrom: next.request } : {});
  let resumed = next === null ? null : { unnotedCount: countUnnoted(run) };
  do {
    signal.throwIfAborted();
    const page = await askFor(run, pages, resumed !== null);
    await takePage(run, pages, { page, resumed, baseUrl: catalog.baseUrl });
    resumed = null;
  } while (pages.hasMore);
}

// The catalog moved, or the library's record of this search is less than what was left: a power cut may have cost its
// end.
function isLost(run: JobRun, baseUrl: string): boolean {
  const { next, searchNumber } = run.progress;
  if (next === null) return searchNumber !== null;
  return next.baseUrl !== baseUrl || countUnnoted(run) < 0;
}

/** Items of a page that was recorded just before the program ended, and not noted any more; less than none: a loss. */
function countUnnoted({ progress, source, job }: JobRun): number {
  const { searchNumber, recordedCount } = progress;
  if (searchNumber === null) return 0;
  return (findRecord(source.library, { ...job, searchNumber })?.count ?? -1) - recordedCount;
}

async function askFor(
  { source, signal, progress }: JobRun,
  pages: ItemPages,
  isResumed: boolean,
): Promise<ItemPage> {
  try {
    const page = await source.connection.ask(() => pages.next({ signal }));
    return page ?? { items: [], skipped: [], matched: null };
  } catch (thrown) {
    const error = await judgePage(source.connection, thrown);
    // A further page that is refused: services forget the places that they hand out.
    const isRefused = !isPassing(error) && refusals.has(error.code);
    const isFurther = isResumed || (!progress.isCatchingUp && progress.next !== null);
    throw isRefused && isFurther && !signal.aborted ? new DeadEnd() : error;
  }
}

const refusals = new Set([
  'stac.query-rejected',
  'stac.collection-not-found',
  'stac.invalid-response',
  'http.unexpected-status',
]);
