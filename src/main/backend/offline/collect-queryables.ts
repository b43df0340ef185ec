import { isAppError } from '#shared/errors/app-error.ts';
import { learnCollections, learnQueryables } from '../connection/learn-catalog.ts';
import type { Kept } from '../library/library.ts';
import type { JobRun } from './job-run.ts';

/** Of a catalog that lists more, those that a question names are asked about, and all together: each is a request. */
const mostListed = 50;

/**
 * Fetches what the collections of the question can be asked, and all collections together, so that filters are built and
 * judged offline as they are online. Each comes once a job. What the catalog doesn't give is passed over: the items are
 * what was ordered.
 * @throws AppError `library.*`; an AbortError when the job is to stop
 */
export async function collectQueryables(run: JobRun): Promise<void> {
  const { library } = run.source;
  const isHere = (kept: Kept<unknown> | null): boolean =>
    kept !== null && kept.fetchedAtMs >= run.job.startedAtMs;
  const options = { source: run.source, clock: run.clock, signal: run.signal };
  let isCatalogAway = false;
  const attempt = async (learn: () => Promise<unknown>): Promise<void> => {
    run.signal.throwIfAborted();
    try {
      if (!isCatalogAway) await learn();
    } catch (thrown) {
      run.signal.throwIfAborted();
      if (!isAppError(thrown) || !isOfCatalog(thrown.code)) throw thrown;
      // The items are asked for next, and wait for it.
      isCatalogAway = thrown.code.startsWith('network.');
    }
  };

  if (!isHere(library.collections())) await attempt(() => learnCollections(options));
  const listed = library.collections()?.value.map(({ id }) => id) ?? [];
  const few = listed.length <= mostListed ? listed : [];
  const wanted = [[], ...(run.job.question.query.collections ?? few).map((id) => [id])];
  for (const ids of wanted)
    if (!isHere(library.queryables(ids))) await attempt(() => learnQueryables(ids, options));
}

function isOfCatalog(code: string): boolean {
  return ['network.', 'http.', 'auth.', 'stac.'].some((prefix) => code.startsWith(prefix));
}
