import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isAppError } from '#shared/errors/app-error.ts';
import { isCutByFields } from '#shared/search/is-cut-by-fields.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { summariseAssets } from '#shared/stac/thumbnail.ts';
import type { ItemPage, ItemPages } from '../catalog/catalog-client.ts';
import { noProgress } from '../notebook/offline-job-store.ts';
import { isPassing } from './is-passing.ts';
import { fetchByIds } from './fetch-by-ids.ts';
import type { JobRun } from './job-run.ts';

/** Items a page, where the question doesn't say. */
const itemsPerPage = 200;
/** Enough of an Item to know whether the library has it, and whether the local filter leaves it out. */
const nameFields = { include: ['id', 'collection', 'properties.datetime', 'properties.eo:cloud_cover'] };
const namesPerPage = 500;
/** Items looked at in one task, so that the event loop is free again within a frame. */
const itemsPerLook = 50;

/** The pages that led here are no use any more: paging has to begin anew. */
class DeadEnd extends Error {}

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
  const { matched, receivedBytes, runnerPid } = run.progress;
  run.progress = { ...noProgress, matched, receivedBytes, runnerPid, isCatchingUp: true };
  run.store.clearTodo(run.job.jobId);
  run.store.saveProgress(run.job.jobId, run.progress);
}

/** The question as a job asks it: whole Items, however it was put. */
export function toWholeQuery({ fields: _, ...query }: SearchQuery): SearchQuery {
  return query;
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
  let isResumed = next !== null;
  do {
    signal.throwIfAborted();
    const page = await askFor(run, pages, isResumed);
    await takePage(run, pages, { page, isResumed, baseUrl: catalog.baseUrl });
    isResumed = false;
  } while (pages.hasMore);
}

// The catalog moved, or the library's record of this search is not what was left: a power cut may have cost its end.
function isLost({ progress, source }: JobRun, baseUrl: string): boolean {
  const { next, searchNumber, recordedCount } = progress;
  if (next === null) return searchNumber !== null;
  const record = searchNumber === null ? null : source.library.pastSearch(searchNumber);
  return next.baseUrl !== baseUrl || record?.count !== recordedCount;
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
    // A further page that is refused: services forget the places that they hand out.
    const isRefused = isAppError(thrown) && !isPassing(thrown) && refusals.has(thrown.code);
    const isFurther = isResumed || (!progress.isCatchingUp && progress.next !== null);
    throw isRefused && isFurther && !signal.aborted ? new DeadEnd() : thrown;
  }
}

const refusals = new Set([
  'stac.query-rejected',
  'stac.collection-not-found',
  'stac.invalid-response',
  'http.unexpected-status',
]);

async function takePage(
  run: JobRun,
  pages: ItemPages,
  { page, isResumed, baseUrl }: { page: ItemPage; isResumed: boolean; baseUrl: string },
): Promise<void> {
  const { job, source, store, clock } = run;
  const { library } = source;
  const fetchedAtMs = clock.now();
  const { there, missing } = sortOut(run, page.items);
  // A place that was forgotten may be answered with nothing, or with the first page once more.
  if (isResumed && missing.length === 0) throw new DeadEnd();
  const fetched = run.progress.isCatchingUp ? await complete(run, missing) : missing;
  const bytes = await measure(fetched);
  await library.saveItems(fetched, fetchedAtMs);
  const items = inOrder(page.items, [...there, ...fetched]);
  const { localFilter } = job.question;
  const passing = items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
  const missedCount = run.progress.missedCount + page.skipped.length + page.items.length - items.length;
  const leftOutCount = items.length - passing.length;
  const matched = page.matched ?? run.progress.matched;
  const searchNumber = await record(run, {
    items: items.map(({ ref }) => ref),
    leftOutCount,
    matched: page.matched,
    isComplete: !pages.hasMore && !pages.isIncomplete && missedCount === 0,
  });
  const withPicture = job.choice.hasPictures
    ? passing.filter(({ item }) => summariseAssets(item).hasThumbnail).map(({ ref }) => ref)
    : [];
  const withFiles = job.choice.assets ? passing.map(({ ref }) => ref) : [];
  const { progress } = run;
  const request = pages.position;
  run.onCame({ count: items.length, bytes });
  run.progress = {
    ...progress,
    stage: pages.hasMore ? 'items' : 'pictures',
    itemCount: progress.itemCount + items.length,
    matched,
    missedCount,
    pictureTotal: progress.pictureTotal + withPicture.length,
    fileItemsLeft: progress.fileItemsLeft + withFiles.length,
    receivedBytes: progress.receivedBytes + bytes,
    searchNumber,
    recordedCount: progress.recordedCount + passing.length,
    next: request && { baseUrl, request },
  };
  store.saveProgress(job.jobId, run.progress, { pictures: withPicture, files: withFiles });
}

/** What this job has fetched already, as the library has it, and what it has not. */
function sortOut({ job, source }: JobRun, items: readonly IdentifiedItem[]) {
  const there: IdentifiedItem[] = [];
  const missing: IdentifiedItem[] = [];
  for (const one of items) {
    const kept = source.library.item(one.ref);
    const isThere = kept && !kept.value.isPartial && kept.fetchedAtMs >= job.startedAtMs;
    if (isThere) there.push(kept.value);
    else missing.push(one);
  }
  return { there, missing };
}

/** Whole Items for those that came as names only. Those that can't be had are left out. */
async function complete(run: JobRun, named: readonly IdentifiedItem[]): Promise<IdentifiedItem[]> {
  const whole = named.filter(({ item }) => !isCutByFields(item, nameFields));
  const cut = named.filter((one) => !whole.includes(one));
  return [
    ...whole,
    ...(await fetchByIds(
      run.source.connection,
      cut.map(({ ref }) => ref),
      run.signal,
    )),
  ];
}

async function record(
  { progress, job, source, clock }: JobRun,
  part: { items: ItemRef[]; leftOutCount: number; matched: number | null; isComplete: boolean },
): Promise<number> {
  const { library } = source;
  if (progress.searchNumber !== null) {
    await library.extendSearch(progress.searchNumber, part);
    return progress.searchNumber;
  }
  const { query, localFilter } = job.question;
  return library.saveSearch({ query: toWholeQuery(query), localFilter, ...part }, clock.now());
}

function inOrder(order: readonly IdentifiedItem[], found: readonly IdentifiedItem[]): IdentifiedItem[] {
  const byKey = new Map(found.map((one) => [toKey(one.ref), one]));
  return order.flatMap(({ ref }) => byKey.get(toKey(ref)) ?? []);
}

// Collection ids can't hold a line break in a URL; item ids may hold anything else.
function toKey({ collectionId, itemId }: ItemRef): string {
  return `${collectionId}\n${itemId}`;
}

async function measure(items: readonly IdentifiedItem[]): Promise<number> {
  let bytes = 0;
  for (let start = 0; start < items.length; start += itemsPerLook) {
    if (start > 0) await yieldToOthers();
    for (const { item } of items.slice(start, start + itemsPerLook)) bytes += JSON.stringify(item).length;
  }
  return bytes;
}
