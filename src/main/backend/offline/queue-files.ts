import { sep } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { OfflineChoice } from '#shared/offline/offline-job.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { Todo } from '../notebook/offline-job-store.ts';
import { AssetPlan } from '../selection/asset-plan.ts';
import { isPassing } from './is-passing.ts';
import type { JobRun } from './job-run.ts';

const itemsPerRound = 20;

/**
 * Puts the chosen assets of the Items into the download queue, which goes on with them by itself. What is in the queue
 * already, or was brought home by it, is not queued again.
 * @throws AppError `transfer.destination-missing`, `transfer.destination-not-writable`, `connection.not-found`, `network.*`
 */
export async function queueFiles(run: JobRun): Promise<void> {
  const { store, job, downloads, signal } = run;
  const { assets } = job.choice;
  const queued = assets ? findQueued(downloads, assets.destination) : new Set<string>();
  for (;;) {
    signal.throwIfAborted();
    const round = assets ? store.nextTodo(job.jobId, 'files', itemsPerRound) : [];
    if (!assets || round.length === 0) break;
    for (const todo of round) {
      const outcome = await queueOne(run, todo, { assets, queued });
      settle(run, todo, outcome);
      await yieldToOthers();
      signal.throwIfAborted();
    }
  }
  run.progress = { ...run.progress, stage: 'end' };
  store.saveProgress(job.jobId, run.progress);
}

type Assets = NonNullable<OfflineChoice['assets']>;

async function queueOne(
  { job, source, downloads }: JobRun,
  { ref }: Todo,
  { assets, queued }: { assets: Assets; queued: ReadonlySet<string> },
): Promise<{ fileCount: number } | { error: AppError }> {
  const { rule, destination, links } = assets;
  const { connectionId } = job;
  try {
    const item = source.library.item(ref)?.value;
    if (!item) throw notKept(ref);
    const assetKeys = chooseKeys(item, rule);
    const missing = assetKeys.filter((assetKey) => !queued.has(toKey({ ...ref, assetKey })));
    if (missing.length > 0)
      await downloads.start({ connectionId, ref, item, assetKeys: missing, destination, links });
    return { fileCount: assetKeys.length };
  } catch (thrown) {
    const error = toAppError(thrown);
    // What holds for one holds for all.
    if (error.code.startsWith('transfer.destination-') || isPassing(error)) throw error;
    return { error };
  }
}

function chooseKeys({ ref, item }: IdentifiedItem, rule: Assets['rule']): string[] {
  const plan = new AssetPlan();
  plan.add(ref, item);
  return plan.choose(rule)[0]?.assetKeys ?? [];
}

function settle(run: JobRun, { position }: Todo, outcome: { fileCount: number } | { error: AppError }): void {
  const { progress, store, job } = run;
  const isDone = 'fileCount' in outcome;
  run.onCame({ count: 1, bytes: 0 });
  run.progress = {
    ...progress,
    fileCount: progress.fileCount + (isDone ? outcome.fileCount : 0),
    fileFailedCount: progress.fileFailedCount + (isDone ? 0 : 1),
    fileItemsLeft: progress.fileItemsLeft - 1,
  };
  const positions = [position];
  store.settleTodo(
    job.jobId,
    { kind: 'files', done: isDone ? positions : [], failed: isDone ? [] : positions },
    run.progress,
  );
}

/** What is on its way into a folder, or there. */
function findQueued(downloads: Downloads, destination: string): Set<string> {
  const there = downloads
    .transfers()
    .filter(
      ({ state, filePath }) =>
        state !== 'failed' && state !== 'cancelled' && filePath?.startsWith(`${destination}${sep}`),
    );
  return new Set(there.map(toKey));
}

function toKey(asset: { collectionId: string; itemId: string; assetKey: string }): string {
  return JSON.stringify([asset.collectionId, asset.itemId, asset.assetKey]);
}

function notKept({ collectionId, itemId }: Todo['ref']): AppError {
  return new AppError('stac.item-not-found', `${itemId} is not in the library`, {
    details: { collectionId, itemId },
  });
}
