import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { toItemKey } from '#shared/stac/item-key.ts';
import { isCutByFields } from '#shared/search/is-cut-by-fields.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { summariseAssets } from '#shared/stac/thumbnail.ts';
import type { ItemPage, ItemPages } from '../catalog/catalog-client.ts';
import { hashContents } from '../library/hash-content.ts';
import type { KeptPart } from '../library/library.ts';
import { markGone } from '../library/mark-gone.ts';
import { DeadEnd } from './dead-end.ts';
import { fetchByIds } from './fetch-by-ids.ts';
import { findRecord } from './find-record.ts';
import type { JobRun } from './job-run.ts';
import { judgePage } from './judge-page.ts';
import { nameFields, toWholeQuery } from './whole-query.ts';

/** Items looked at in one task, so that the event loop is free again within a frame. */
const itemsPerLook = 50;

/** A page as it came, and where it came from. */
export interface TakenPage {
  page: ItemPage;
  /** Address of the catalog. */
  baseUrl: string;
  /** For the first page after the program ended or paused: how many Items of it were recorded already. */
  resumed: { unnotedCount: number } | null;
}

/**
 * Keeps the Items of a page, records them as part of the answer, and notes what of them is still to come. In that order:
 * a program that ends in between takes the page once more.
 * @throws DeadEnd when it can't be the page that paging had come to; AppError as `Library.saveItems`
 */
export async function takePage(run: JobRun, pages: ItemPages, taken: TakenPage): Promise<void> {
  const { source, clock } = run;
  const { page, resumed } = taken;
  const fetchedAtMs = clock.now();
  const { there, missing } = sortOut(run, page.items);
  // A place that was forgotten may be answered with nothing, or with the first page once more.
  if (resumed?.unnotedCount === 0 && missing.length === 0) throw new DeadEnd();
  const fetched = run.progress.isCatchingUp ? await complete(run, missing) : missing;
  await source.library.saveItems(fetched, fetchedAtMs);
  const items = inOrder(page.items, [...there, ...fetched]);
  const { localFilter } = run.job.question;
  const passing = items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
  const missedCount = run.progress.missedCount + page.skipped.length + page.items.length - items.length;
  const isComplete = !pages.hasMore && !pages.isIncomplete && missedCount === 0;
  const part: KeptPart = {
    items: items.map(({ ref }) => ref),
    contentHashes: await hashContents(items),
    leftOutCount: items.length - passing.length,
    matched: page.matched,
    isComplete,
  };
  const searchNumber = await record(run, part, resumed?.unnotedCount ?? 0);
  note(run, pages, { ...taken, part, passing, missedCount, searchNumber, bytes: await measure(fetched) });
  if (!isComplete) return;
  const query = toWholeQuery(run.job.question.query);
  await markGone(source.library, { searchNumber, query, beganAtMs: run.job.startedAtMs });
}

interface Noted extends TakenPage {
  part: KeptPart;
  /** What the local filter let through. */
  passing: readonly IdentifiedItem[];
  missedCount: number;
  searchNumber: number;
  bytes: number;
}

function note(run: JobRun, pages: ItemPages, noted: Noted): void {
  const { progress, job, store } = run;
  const { page, part, passing, bytes, missedCount, searchNumber, baseUrl } = noted;
  const { hasPictures, assets } = job.choice;
  const withPicture = hasPictures ? passing.filter(({ item }) => summariseAssets(item).hasThumbnail) : [];
  const withFiles = assets ? passing : [];
  const request = pages.position;
  run.onCame({ count: part.items.length, bytes });
  run.progress = {
    ...progress,
    stage: pages.hasMore ? 'items' : 'pictures',
    itemCount: progress.itemCount + part.items.length,
    matched: page.matched ?? progress.matched,
    missedCount,
    isEndless: pages.isIncomplete,
    pictureTotal: progress.pictureTotal + withPicture.length,
    fileItemsLeft: progress.fileItemsLeft + withFiles.length,
    receivedBytes: progress.receivedBytes + bytes,
    searchNumber,
    recordedCount: progress.recordedCount + passing.length,
    next: request && { baseUrl, request },
  };
  store.saveProgress(job.jobId, run.progress, { pictures: toRefs(withPicture), files: toRefs(withFiles) });
}

function toRefs(items: readonly IdentifiedItem[]): ItemRef[] {
  return items.map(({ ref }) => ref);
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
  const cut = named.filter(({ item }) => isCutByFields(item, nameFields));
  const { connection } = run.source;
  const fetched = await fetchByIds(connection, toRefs(cut), run.signal).catch(async (thrown: unknown) => {
    throw await judgePage(connection, thrown);
  });
  return [...whole, ...fetched];
}

async function record(run: JobRun, part: KeptPart, unnotedCount: number): Promise<number> {
  const { progress, job, source, clock } = run;
  const { library } = source;
  if (progress.searchNumber === null) {
    const { query, localFilter } = job.question;
    return library.saveSearch({ query: toWholeQuery(query), localFilter, ...part }, clock.now());
  }
  const { searchNumber } = progress;
  const past = findRecord(library, { ...job, searchNumber });
  const isThere = past?.count === progress.recordedCount + unnotedCount;
  const isRecorded = unnotedCount > 0;
  if (!isThere || (isRecorded && unnotedCount !== part.items.length - part.leftOutCount)) throw new DeadEnd();
  if (!isRecorded && !(await library.extendSearch(past, part))) throw new DeadEnd();
  return past.searchNumber;
}

function inOrder(order: readonly IdentifiedItem[], found: readonly IdentifiedItem[]): IdentifiedItem[] {
  const byKey = new Map(found.map((one) => [toItemKey(one.ref), one]));
  return order.flatMap(({ ref }) => byKey.get(toItemKey(ref)) ?? []);
}

async function measure(items: readonly IdentifiedItem[]): Promise<number> {
  let bytes = 0;
  for (const [index, { item }] of items.entries()) {
    if (index > 0 && index % itemsPerLook === 0) await yieldToOthers();
    bytes += JSON.stringify(item).length;
  }
  return bytes;
}
