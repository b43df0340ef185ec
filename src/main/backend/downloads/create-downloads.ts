import { rm } from 'node:fs/promises';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { isSettled, type Transfer } from '#shared/transfer/transfer.ts';
import { createChangeFeed } from './change-feed.ts';
import { createCooldowns } from './cooldowns.ts';
import type { DownloadOrder, Downloads, DownloadsOptions, FinishedOrder } from './downloads.ts';
import { checkDestination, planTransfers, toSnapshot } from './plan-download.ts';
import { startScheduler } from './scheduler.ts';
import { createSerialTasks } from './serial-tasks.ts';
import { systemTimers } from './timers.ts';
import type { RunParts } from './transfer-run.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';
import { openTransferStore } from './transfer-store.ts';
import { toTransfer } from './transfer-view.ts';

/**
 * Opens the download queue and goes on with what is in it.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function createDownloads(options: DownloadsOptions): Downloads {
  const { clock, logger, timers = systemTimers, random = Math.random } = options;
  const store = openTransferStore(options.filePath);
  const waiters = new Set<() => void>();
  const feed = createChangeFeed({
    timers,
    readAll: () => store.rows().map(view),
    read: (transferId) => {
      const row = store.row(transferId);
      return row === null ? null : view(row);
    },
  });
  const parts: RunParts = {
    store,
    http: options.http,
    resolveLink: options.resolveLink,
    loadCollection: options.loadCollection,
    clock,
    timers,
    logger,
    appVersion: options.appVersion,
    tasks: createSerialTasks(),
    cooldowns: createCooldowns(),
    onChange: (transferId) => feed.markChanged(transferId),
  };
  const scheduler = startScheduler(parts, {
    maxConcurrent: options.maxConcurrentTransfers,
    random,
    onSettled: () => {
      for (const check of waiters) check();
    },
  });
  const { slots } = scheduler;
  for (const { transferId, partPath } of store.rowsIn('cancelled')) {
    // Tried again at the next start.
    if (partPath !== null) dropPart(transferId).catch(logPartLeft(partPath));
  }

  for (const known of store.destinations()) options.noteDestination?.(known);

  function view(row: TransferRow): Transfer {
    return toTransfer(row, slots.runOf(row.transferId), clock.now());
  }

  function need(transferId: number): TransferRow {
    const row = store.row(transferId);
    if (row !== null) return row;
    throw new AppError('transfer.not-found', `There is no transfer ${transferId}`, {
      details: { transferId },
    });
  }

  function goOn(row: TransferRow): void {
    const event = row.state === 'paused' ? 'resume' : 'retry';
    scheduler.decide(row.transferId, event, freshStart(clock.now()));
    scheduler.wake();
  }

  async function start(order: DownloadOrder): Promise<{ downloadId: number }> {
    const { connectionId } = order;
    const destination = await checkDestination(order.destination);
    options.noteDestination?.({ connectionId, destination });
    const loaded = order.item ?? (await options.loadItem(order.ref, connectionId));
    const item = toSnapshot(loaded);
    const planned = planTransfers(item, order.assetKeys);
    const adopted = planned.flatMap(({ assetKey, error }) => {
      if (error !== null) return [];
      return store.findUnfinished({ ...loaded.ref, connectionId, assetKey, destination }) ?? [];
    });
    const adoptedKeys = new Set(adopted.map(({ assetKey }) => assetKey));
    const downloadId = store.add(
      { connectionId, ref: loaded.ref, destination, linkMode: order.links, item, createdAtMs: clock.now() },
      planned.filter(({ assetKey }) => !adoptedKeys.has(assetKey)),
      adopted.map(({ transferId }) => transferId),
    );
    for (const { transferId } of store.rowsOf(downloadId)) feed.markChanged(transferId);
    for (const row of adopted) goOn(row);
    scheduler.wake();
    return { downloadId };
  }

  function addFinished({ connectionId, ref, item, destination, files }: FinishedOrder): void {
    options.noteDestination?.({ connectionId, destination });
    const added = files.filter(({ filePath }) => !store.isDone(filePath));
    if (added.length === 0) return;
    const snapshot = toSnapshot({ ref, item });
    const facts = { state: 'done', error: null, mediaType: null, announcedChecksum: null } as const;
    const downloadId = store.add(
      { connectionId, ref, destination, linkMode: 'auto', item: snapshot, createdAtMs: clock.now() },
      added.map(({ assetKey, sizeBytes }) => ({ ...facts, assetKey, announcedBytes: sizeBytes })),
      [],
    );
    store.rowsOf(downloadId).forEach(({ transferId }, index) => {
      const file = added[index];
      if (!file) return;
      const { filePath, sizeBytes, verification, digest, finishedAtMs } = file;
      const size = { totalBytes: sizeBytes, durableBytes: sizeBytes };
      store.update(transferId, { filePath, ...size, verification, digest, finishedAtMs });
      feed.markChanged(transferId);
    });
  }

  async function dropPart(transferId: number): Promise<void> {
    await slots.hold(transferId, async () => {
      const row = store.row(transferId);
      if (row?.state !== 'cancelled') return;
      if (row.partPath !== null) await deletePart(row.partPath);
      store.update(transferId, { ...withoutFile });
      feed.markChanged(transferId);
    });
  }

  // An unplugged drive keeps the part; it is worth nothing without its transfer.
  function deletePart(path: string): Promise<void> {
    return rm(path, { force: true }).catch(logPartLeft(path));
  }

  function logPartLeft(path: string): (error: unknown) => void {
    return (error) => logger.warn('transfer.part-left', { path, reason: toAppError(error).message });
  }

  return {
    start,
    addFinished,
    async pause(transferId) {
      need(transferId);
      scheduler.decide(transferId, 'pause');
      await slots.hold(transferId, () => Promise.resolve());
    },
    resume(transferId) {
      return Promise.resolve().then(() => goOn(need(transferId)));
    },
    async cancel(transferId) {
      need(transferId);
      if (scheduler.decide(transferId, 'cancel', { error: null, resumeAtMs: null }))
        await dropPart(transferId);
    },
    async remove(transferId) {
      need(transferId);
      await slots.hold(transferId, async () => {
        const row = store.row(transferId);
        if (row === null || !isSettled(row.state)) return;
        if (row.partPath !== null) await deletePart(row.partPath);
        store.remove(transferId);
        feed.markRemoved(transferId);
      });
    },
    transfers: () => store.rows().map(view),
    watch: (listener) => feed.watch(listener),
    waitUntilSettled(downloadId, signal) {
      return new Promise<Transfer[]>((resolve, reject) => {
        const check = () => {
          const transfers = store.rowsOf(downloadId).map(view);
          if (transfers.every(({ state }) => isSettled(state))) finish(() => resolve(transfers));
        };
        const onAbort = () => finish(() => reject(new AppError('cancelled', 'The wait was given up')));
        const finish = (tell: () => void) => {
          waiters.delete(check);
          signal?.removeEventListener('abort', onAbort);
          tell();
        };
        waiters.add(check);
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted) onAbort();
        else check();
      });
    },
    noteNetworkIsOn: () => scheduler.endWaits('network.switched-off'),
    setMaxConcurrentTransfers: (count) => scheduler.setMaxConcurrent(count),
    async close() {
      await scheduler.close();
      feed.close();
      waiters.clear();
      store.close();
    },
  };
}

const withoutFile: RowChanges = {
  partPath: null,
  nameKey: null,
  filePath: null,
  durableBytes: 0,
  progressBytes: 0,
  totalBytes: null,
  etag: null,
  sourceOrigin: null,
  digest: null,
  verification: null,
};

function freshStart(nowMs: number): RowChanges {
  return { error: null, resumeAtMs: null, attempts: 0, restarts: 0, progressAtMs: nowMs };
}
