import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { OfflineChoice } from '#shared/offline/offline-job.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Todo } from '../notebook/offline-job-store.ts';
import { AssetPlan } from '../selection/asset-plan.ts';
import type { JobRun } from './job-run.ts';

/** Items that are ordered together. */
const itemsPerRound = 100;

/**
 * Puts the chosen assets of the Items into the download queue, which goes on with them by itself. What was brought there
 * already and is still there is not queued again.
 * @throws AppError `transfer.destination-missing`, `transfer.destination-not-writable`, `connection.not-found`, `network.*`
 */
export async function queueFiles(run: JobRun): Promise<void> {
  const { store, job, signal } = run;
  const { assets } = job.choice;
  for (;;) {
    signal.throwIfAborted();
    const round = assets ? store.nextTodo(job.jobId, 'files', itemsPerRound) : [];
    if (!assets || round.length === 0) break;
    await orderRound(run, round, assets);
    await yieldToOthers();
  }
  run.progress = { ...run.progress, stage: 'end' };
  store.saveProgress(job.jobId, run.progress);
}

type Assets = NonNullable<OfflineChoice['assets']>;

async function orderRound(run: JobRun, round: readonly Todo[], assets: Assets): Promise<void> {
  const { job, source, downloads, signal } = run;
  const { rule, destination, links } = assets;
  const chosen = round.map((todo) => {
    const item = source.library.item(todo.ref)?.value ?? null;
    return { todo, item, assetKeys: item ? chooseKeys(item, rule) : [] };
  });
  const wanted = chosen.flatMap(({ item, assetKeys }) =>
    item && assetKeys.length > 0 ? [{ ref: item.ref, item: item.item, wanted: assetKeys }] : [],
  );
  if (wanted.length > 0) {
    const order = { title: job.name, origin: { kind: 'offline' }, priority: 'normal' } as const;
    const { connectionId } = job;
    const place = { connectionId, destination, links };
    await downloads.order({ ...order, ...place, items: wanted, itemCount: wanted.length }, { signal });
  }
  settle(run, {
    done: chosen.filter(({ item }) => item !== null).map(({ todo }) => todo.position),
    failed: chosen.filter(({ item }) => item === null).map(({ todo }) => todo.position),
    fileCount: chosen.reduce((sum, { assetKeys }) => sum + assetKeys.length, 0),
  });
}

function chooseKeys({ ref, item }: IdentifiedItem, rule: Assets['rule']): string[] {
  const plan = new AssetPlan();
  plan.add(ref, item);
  return plan.choose(rule)[0]?.assetKeys ?? [];
}

function settle(run: JobRun, round: { done: number[]; failed: number[]; fileCount: number }): void {
  const { progress, store, job } = run;
  const { fileCount, ...settled } = round;
  const count = settled.done.length + settled.failed.length;
  run.onCame({ count, bytes: 0 });
  run.progress = {
    ...progress,
    fileCount: progress.fileCount + fileCount,
    fileFailedCount: progress.fileFailedCount + settled.failed.length,
    fileItemsLeft: progress.fileItemsLeft - count,
  };
  store.settleTodo(job.jobId, { kind: 'files', ...settled }, run.progress);
}
