import { AppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import type { HttpClient } from '../../http/http-client.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { ResolveCatalogLink } from '../downloads.ts';
import type { CheckpointJournal } from '../file/checkpoint-journal.ts';
import { toDiskError } from '../file/disk-error.ts';
import type { Disk, DiskFile } from '../file/disk.ts';
import type { HashPool } from '../file/hash-pool.ts';
import type { Hurry } from '../file/hurry.ts';
import type { PartSizes } from '../file/part-file.ts';
import { createPartTrail, type PartTrail } from '../file/part-trail.ts';
import type { Volumes } from '../file/volumes.ts';
import { createFlow } from '../limits/flow.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { SignInPages } from '../limits/sign-in-pages.ts';
import type { Throttle } from '../limits/throttle.ts';
import type { NewFile } from '../output/find-replaced.ts';
import type { FolderLinks } from '../output/folder-links.ts';
import type { ItemFolders } from '../output/item-folders.ts';
import type { PublishedFile } from '../output/write-sidecars.ts';
import type { LazyWrites } from '../queue/lazy-writes.ts';
import type { LiveRun } from '../queue/live-run.ts';
import type { PartStore } from '../queue/part-store.ts';
import type { RowChanges, TransferRow } from '../queue/transfer-row.ts';
import type { TransferStore } from '../queue/transfer-store.ts';
import type { GatheredTasks } from '../tasks/gathered-tasks.ts';
import type { SerialTasks } from '../tasks/serial-tasks.ts';
import type { Timers } from '../tasks/timers.ts';

/** After so long without a byte of what was asked for a run is quiet. It waits on, but not in the place of others. */
export const quietMs = 10_000;

/** What a run works with. */
export interface RunParts {
  store: TransferStore;
  /** How runs write to the store. */
  lazy: LazyWrites;
  http: HttpClient;
  resolveLink: ResolveCatalogLink;
  loadCollection: (collectionId: string, connectionId: string) => Promise<StacCollection>;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  appVersion: string;
  tasks: SerialTasks;
  hosts: Hosts;
  signInPages: SignInPages;
  throttle: Throttle;
  /** The most connections that one file may have now: one as long as many files run, so that each has its share. */
  mostConnectionsPerFile: () => number;
  /** All access to the files of transfers. */
  disk: Disk;
  volumes: Volumes;
  hashes: HashPool;
  hurry: Hurry;
  /** Checkpoints of all part files. */
  journal: CheckpointJournal;
  partStore: PartStore;
  itemFolders: ItemFolders;
  /** Receipts, Items, Collections and the Catalog around published files, by the folder of their Item. */
  sidecars: GatheredTasks<PublishedFile & NewFile>;
  /** Links from Collections to Items, many at a time. */
  folderLinks: FolderLinks;
  /** The run goes on, but what it still does takes nothing from others. */
  leaveSlot: (transferId: number) => void;
  /** Told when a run gets nothing from its server any more, and others may have its slot; and when it does again. */
  onQuiet: () => void;
  /** Told when the folder of a transfer is there. */
  onFolder: (destination: string) => void;
  /** Told when a server gives something of a file. */
  onAnswer: (origin: string) => void;
  /** Whether a server gives nothing to many that ask it, so that others leave it alone. */
  isSilent: (origin: string) => boolean;
  /** How part files are written, where not as usual. */
  partSizes?: Partial<PartSizes>;
  /** Told of every change of a transfer. */
  onChange: (transferId: number) => void;
  /** Told of all bytes that come, of whatever transfer. */
  onReceived: (bytes: number, downloadId: number) => void;
}

/** One attempt to bring a transfer on, from when it gets a slot until it gives it back. */
export interface TransferRun extends LiveRun {
  readonly parts: RunParts;
  readonly item: StacItem;
  /** Hashes the part file behind its writer. */
  readonly trail: PartTrail;
  /** The part file that was just made, open, until somebody takes it, who then has to close it. */
  keepNewPart(file: DiskFile | null): void;
  takeNewPart(): DiskFile | null;
  /** The server that it last turned to; null before it has. */
  readonly origin: string | null;
  setOrigin(origin: string): void;
  /** The asset's href as the catalog had it when it was last asked for a link; null before that. */
  readonly linkedHref: string | null;
  setLinkedHref(href: string): void;
  setInLine(isInLine: boolean): void;
  /** Nothing came for a while over one of its connections. */
  noteIdle(): void;
  setReceived(bytes: number): void;
  countReceived(bytes: number): void;
  /** Another order has taken it over: what comes now is its. */
  moveTo(downloadId: number): void;
  /** Writes facts down, durable once `settle` has resolved. */
  update(changes: RowChanges): void;
  /** `update` with a final name; false, and nothing is changed, when another transfer has it. */
  reserveName(name: { nameKey: string; filePath: string }): boolean;
  /** Changes the state by an event, with facts, in one step as `update` does. @throws AppError `cancelled`, `internal` */
  apply(event: TransferEvent, changes?: RowChanges): void;
  /** Resolves when all that the run has written down is durable. @throws AppError `transfer.*` */
  settle(): Promise<void>;
  stop(): void;
}

/** Begins a run of a row that has got a slot. */
export function createRun(row: TransferRow, parts: RunParts): TransferRun {
  const current = { ...row };
  const controller = new AbortController();
  const flow = createFlow(() => parts.throttle.bytesPerSecond);
  let receivedBytes = row.durableBytes;
  let origin: string | null = null;
  let linkedHref: string | null = null;
  let isInLine = false;
  let activeAtMs = parts.timers.elapsedMs();
  let quietSinceMs: number | null = null;
  let newPart: DiskFile | null = null;
  const trail = createPartTrail(parts, current);

  function update(changes: RowChanges): void {
    try {
      parts.lazy.write(() => parts.store.update(row.transferId, changes));
    } catch (error) {
      throw toDiskError(error, current.destination);
    }
    take(changes);
  }

  function take(changes: RowChanges): void {
    Object.assign(current, changes);
    parts.onChange(row.transferId);
  }

  function setQuietSince(sinceMs: number | null): void {
    if ((quietSinceMs === null) === (sinceMs === null)) return;
    quietSinceMs = sinceMs;
    parts.onChange(row.transferId);
    parts.onQuiet();
  }

  return {
    parts,
    row: current,
    // Read when needed: a row that can't be read must fail by itself and not stop the queue.
    get item() {
      return parts.store.itemOf(row.transferId);
    },
    trail,
    keepNewPart: (file) => void (newPart = file),
    takeNewPart() {
      const file = newPart;
      newPart = null;
      return file;
    },
    signal: controller.signal,
    get origin() {
      return origin;
    },
    setOrigin(next) {
      origin = next;
      parts.hosts.expect(row, next);
    },
    get linkedHref() {
      return linkedHref;
    },
    setLinkedHref: (href) => void (linkedHref = href),
    get isInLine() {
      return isInLine;
    },
    setInLine(next) {
      isInLine = next;
      parts.onChange(row.transferId);
    },
    get receivedBytes() {
      return receivedBytes;
    },
    bytesPerSecond: (nowMs) => flow.bytesPerSecond(nowMs),
    pace: (nowMs) => flow.pace(nowMs),
    get quietSinceMs() {
      return quietSinceMs;
    },
    noteIdle() {
      const idleMs = parts.timers.elapsedMs() - activeAtMs;
      // Another of its connections may bring something.
      if (idleMs >= quietMs) setQuietSince(parts.clock.now() - idleMs);
    },
    setReceived: (bytes) => void (receivedBytes = bytes),
    countReceived(bytes) {
      activeAtMs = parts.timers.elapsedMs();
      setQuietSince(null);
      flow.count(bytes, parts.clock.now());
      parts.onReceived(bytes, current.downloadId);
      parts.onChange(row.transferId);
    },
    moveTo: (downloadId) => void (current.downloadId = downloadId),
    update,
    reserveName(name) {
      const isOurs = parts.lazy.write(() => parts.store.reserveName(row.transferId, name));
      if (isOurs) take(name);
      return isOurs;
    },
    apply(event, changes = {}) {
      if (controller.signal.aborted) throw new AppError('cancelled', 'The transfer was stopped');
      const state = nextState(current.state, event);
      if (state === null)
        throw new AppError('internal', `"${event}" means nothing to a ${current.state} transfer`);
      update({ ...changes, state });
    },
    settle: () => parts.lazy.settle(),
    stop() {
      controller.abort();
      // It may hold memory that the bytes on their way wait for.
      void trail.stop();
    },
  };
}
