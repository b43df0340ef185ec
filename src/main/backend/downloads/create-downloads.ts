import { resolve } from 'node:path';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { emptyQueueStatus, type QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { silentSystem } from '../ports.ts';
import { createOrderDesk } from './actions/order-desk.ts';
import { createPartDropper } from './actions/part-dropper.ts';
import { createQueueActions } from './actions/queue-actions.ts';
import type { Downloads, DownloadsOptions } from './downloads.ts';
import { createCheckpointJournal } from './file/checkpoint-journal.ts';
import { systemDisk } from './file/disk.ts';
import { createHashPool } from './file/hash-pool.ts';
import { createHurry } from './file/hurry.ts';
import { isDamageOfQueue } from './file/queue-damage.ts';
import { createVolumes } from './file/volumes.ts';
import { createGate } from './limits/gate.ts';
import { createHosts } from './limits/hosts.ts';
import { createSignInPages } from './limits/sign-in-pages.ts';
import { createThrottle } from './limits/throttle.ts';
import { findReplaced } from './output/find-replaced.ts';
import { createFolderLinks } from './output/folder-links.ts';
import { createItemFolders } from './output/item-folders.ts';
import { writeSidecars } from './output/write-sidecars.ts';
import { adoptParts } from './queue/adopt-parts.ts';
import { createChangeFeed } from './queue/change-feed.ts';
import { listBrought } from './queue/list-brought.ts';
import { listOpenFiles } from './queue/list-open-files.ts';
import { noteFindings } from './queue/note-findings.ts';
import { openHealthyQueue } from './queue/open-healthy-queue.ts';
import { startQueueBackup } from './queue/queue-backup.ts';
import { countFlow, createQueueFlow, readStatus, toToldHold } from './queue/queue-status.ts';
import { reportTransfers } from './queue/report-transfers.ts';
import { createSettledWaits } from './queue/settled-waits.ts';
import type { TransferRow } from './queue/transfer-row.ts';
import { toDetails, toHistoryEntry, toOrderView, toTransfer } from './queue/transfer-view.ts';
import { verifyAgain } from './queue/verify-again.ts';
import type { RunParts } from './run/transfer-run.ts';
import { startScheduler } from './schedule/scheduler.ts';
import { createGatheredTasks } from './tasks/gathered-tasks.ts';
import { createSerialTasks } from './tasks/serial-tasks.ts';
import { systemTimers } from './tasks/timers.ts';

const undoMs = 30_000;
// With so many at once, more connections for one would only take from the others; with a limit of bandwidth always.
const manyFiles = 4;

/**
 * Opens the download queue and goes on with what is in it.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function createDownloads(options: DownloadsOptions): Downloads {
  const {
    clock,
    logger,
    timers = systemTimers,
    random = Math.random,
    disk = systemDisk,
    isAtRest = false,
  } = options;
  let limits = options.limits ?? defaultTransferLimits;
  const { filePath, isCopy } = options;
  const { queue, isRebuilt } = openHealthyQueue(filePath, { clock, logger, disk, isCopy });
  const backup = startQueueBackup({ queue, filePath, timers, logger });
  const { transfers: store, orders, facts } = queue;
  const waits = createSettledWaits({
    store,
    transfersOf: (downloadId) => store.rowsOf(downloadId).map(view),
    findDamage: () => (scheduler.hold?.error.code === 'library.corrupt' ? scheduler.hold.error : null),
  });
  const tasks = createSerialTasks();
  const feed = createChangeFeed({
    timers,
    ids: () => store.idsOf({}),
    read: (transferId) => {
      const row = unlessDamaged(
        () => store.row(transferId),
        () => null,
      );
      return row === null ? null : view(row);
    },
    liveIds: () => slots.runs().map(({ row }) => row.transferId),
    orders: () => orders.orders().map(toOrderView),
    status,
    onFailure(error) {
      logger.error('queue.unread', { reason: toAppError(error).message });
      if (isDamageOfQueue(error)) scheduler.noteDamage(error);
    },
  });
  const onChange = (transferId: number) => feed.markChanged(transferId);
  const hashes = createHashPool();
  const journal = createCheckpointJournal({
    timers,
    commit: (checkpoints) =>
      queue.lazy.write(() =>
        store.together(() => {
          for (const { transferId, durable, apply } of checkpoints) {
            queue.parts.saveDurable(transferId, durable);
            apply();
          }
        }),
      ),
  });
  const throttle = createThrottle(timers, null);
  const flow = createQueueFlow(() => throttle.bytesPerSecond);
  let lastStatus = emptyQueueStatus;
  const parts: RunParts = {
    store,
    lazy: queue.lazy,
    http: options.http,
    resolveLink: options.resolveLink,
    loadCollection: options.loadCollection,
    clock,
    timers,
    logger,
    appVersion: options.appVersion,
    tasks,
    disk,
    volumes: createVolumes(disk, queue.parts),
    hashes,
    hurry: createHurry(timers),
    journal,
    partStore: queue.parts,
    itemFolders: createItemFolders(timers),
    folderLinks: createFolderLinks({ disk, tasks, timers, logger }),
    sidecars: createGatheredTasks(async (_, files) => writeSidecars(files, await findReplaced(files, disk))),
    leaveSlot: (transferId) => slots.leave(transferId),
    onQuiet: () => scheduler.wake(),
    onFolder: (destination) => scheduler.noteFolder(destination),
    onAnswer: (origin) => scheduler.noteAnswer(origin),
    isSilent: (origin) => scheduler.isSilent(origin),
    ...(options.partSizes === undefined ? {} : { partSizes: options.partSizes }),
    hosts: createHosts({ timers, random, mostConnections: limits.connectionsPerHost }),
    signInPages: createSignInPages({
      timers,
      isReachable: options.probe ?? (() => Promise.resolve(true)),
    }),
    throttle,
    mostConnectionsPerFile: () =>
      slots.takenCount >= manyFiles || parts.throttle.isLimited ? 1 : limits.connectionsPerFile,
    onChange,
    onReceived: (bytes, downloadId) => countFlow(flow, { downloadId, bytes, nowMs: clock.now() }),
  };
  const scheduler = startScheduler(parts, {
    maxConcurrent: options.maxConcurrentTransfers,
    random,
    wasClosed: queue.wasClosed,
    isPaused: () => isAtRest || facts.read('isPaused'),
    disk,
    roomWaits: queue.roomWaits,
    runnable: queue.runnable,
    onHold() {
      feed.markStatus();
      waits.look();
    },
    onDamage: () => queue.noteDamage(),
    openGate: (on) => {
      const { system = silentSystem, probe = () => Promise.resolve(true) } = options;
      const { isOffline = false, tellsOfNetwork = () => true } = options;
      const connections = () => orders.openConnections().filter(tellsOfNetwork);
      const { throttle } = parts;
      return createGate({ limits, isOffline, clock, timers, system, throttle, probe, connections, ...on });
    },
    onSettled: () => waits.look(),
  });
  const { slots } = scheduler;
  const dropper = createPartDropper({
    store,
    partStore: queue.parts,
    lazy: queue.lazy,
    slots,
    disk,
    clock,
    timers,
    logger,
    onChange,
  });
  const actions = createQueueActions({
    queue,
    scheduler,
    feed,
    dropper,
    volumes: parts.volumes,
    disk,
    timers,
    clock,
    undoMs: options.undoMs ?? undoMs,
  });
  const { goOn, ...personal } = actions;

  function noteUse({ connectionId, destination }: { connectionId: string; destination: string }): void {
    options.noteDestination?.({ connectionId, destination, usedAtMs: clock.now() });
  }

  async function sendTo(which: number | TransferFilter, destination: string) {
    const sent = await actions.sendTo(which, destination);
    for (const known of store.destinations()) if (known.destination === resolve(destination)) noteUse(known);
    backup.soon();
    return sent;
  }

  for (const known of store.destinations()) options.noteDestination?.(known);
  // Nobody waits to take back what was cancelled before a restart.
  dropper.dropEarlier({ isAtRest, isCopy });

  const adopting = isRebuilt ? adopt() : Promise.resolve();

  // What the copy of the queue's file doesn't know of is looked for where downloads went to.
  async function adopt(): Promise<void> {
    try {
      const destinations = [...store.destinations(), ...(options.knownDestinations?.() ?? [])];
      const { loadItem } = options;
      const adopted = await adoptParts({ queue, destinations, loadItem, clock, logger });
      const notice = facts.read('notice');
      if (adopted.length === 0 || notice === null) return;
      facts.write('notice', { ...notice, adoptedCount: adopted.length });
      feed.markOrders();
      for (const transferId of adopted) feed.markChanged(transferId);
      scheduler.wake();
    } catch (error) {
      logger.error('queue.parts-not-adopted', { reason: toAppError(error).message });
    }
  }

  function status(): QueueStatus {
    lastStatus = unlessDamaged(
      () =>
        readStatus(queue, { ...parts, runs: slots.runs(), flow, hold: scheduler.hold, nowMs: clock.now() }),
      () => ({ ...lastStatus, hold: toToldHold(scheduler.hold) }),
    );
    return lastStatus;
  }

  // Whoever watches has what was known last, and is told why nothing goes on.
  function unlessDamaged<Known>(read: () => Known, last: () => Known): Known {
    try {
      return read();
    } catch (error) {
      if (!isDamageOfQueue(error)) throw error;
      scheduler.noteDamage(error);
      return last();
    }
  }

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

  const desk = createOrderDesk({
    queue,
    tasks,
    volumes: parts.volumes,
    feed,
    clock,
    loadItem: options.loadItem,
    goOn,
    noteUse,
    onPlaced({ downloadId, adoptedIds }) {
      const adopted = new Set(adoptedIds);
      for (const run of slots.runs()) if (adopted.has(run.row.transferId)) run.moveTo(downloadId);
      backup.soon();
      scheduler.wake();
    },
  });

  return {
    ...personal,
    sendTo,
    ...desk,
    verify: (which, verifying) => verifyAgain(parts, which, verifying),
    noteFindings: (findings) => noteFindings({ store, clock, volumes: parts.volumes, onChange }, findings),
    report(downloadId) {
      const rows = downloadId === null ? store.rows() : store.rowsOf(downloadId);
      const unlisted = queue.history.unlisted(downloadId);
      const order = downloadId === null ? null : (orders.order(downloadId) ?? unlisted[0] ?? null);
      if (downloadId !== null && order === null) {
        throw new AppError('transfer.not-found', `There is no order ${downloadId}`, {
          details: { downloadId },
        });
      }
      const titles = new Map(orders.orders().map(({ downloadId: id, title }) => [id, title]));
      const titleOf = (id: number) => titles.get(id) ?? '';
      return reportTransfers({ order, rows, unlisted, titleOf, nowMs: clock.now() });
    },
    history(page) {
      const { rows, totalCount } = queue.history.page(page);
      return { entries: rows.map(toHistoryEntry), totalCount };
    },
    brought: (connectionId, ref) => listBrought(queue.history.filesOf(connectionId, ref)),
    broughtAssets: (connectionId, refs) => refs.map((ref) => queue.history.assetKeysOf(connectionId, ref)),
    clearHistory: () => ({ count: queue.history.clear() }),
    dismissNotice() {
      facts.write('notice', null);
      feed.markStatus();
    },
    ...queue.contents,
    transfers: () => store.rows().map(view),
    transfer: (transferId) => view(need(transferId)),
    details: (transferId) => toDetails(need(transferId), store.eventsOf(transferId)),
    orders: () => orders.orders().map(toOrderView),
    openFiles: (downloadId) => listOpenFiles(store, downloadId),
    status,
    watch: (listener) => feed.watch(listener),
    waitUntilSettled: (downloadId, signal) => waits.wait(downloadId, signal),
    setLimits(next) {
      limits = next;
      scheduler.setLimits(next);
    },
    setOffline: (isOffline) => scheduler.setOffline(isOffline),
    noteSignedIn: (connectionId) => scheduler.endLoginWaits(connectionId),
    setMaxConcurrentTransfers: (count) => scheduler.setMaxConcurrent(count),
    async close() {
      // First of all, and at once: what comes is left where it is before others end what it waits for.
      const atRest = scheduler.close();
      await dropper.close();
      await atRest;
      await adopting;
      await backup.close();
      await parts.folderLinks.flush().catch((error: unknown) => {
        logger.warn('download.links-left', { reason: toAppError(error).message });
      });
      await hashes.close();
      feed.close();
      waits.close();
      queue.close();
    },
  };
}
