import type { S3Access } from '#shared/connection/s3-access.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import type {
  DownloadOrderView,
  OrderOrigin,
  OrderPlan,
  OrderProgress,
  OrderProblem,
} from '#shared/transfer/download-order.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferDetails } from '#shared/transfer/transfer-details.ts';
import type { TransferFilter, TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { BroughtFile, HistoryPage } from '#shared/transfer/transfer-history.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import type { LinkMode, Transfer, TransferPriority, Verification } from '#shared/transfer/transfer.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { AssetRef, LinkedAsset, ResolveOptions } from '../links/link.ts';
import type { Clock, Logger, SystemPort } from '../ports.ts';
import type { Disk } from './file/disk.ts';
import type { OpenFile } from './handover/handed-file.ts';
import type { PartSizes } from './file/part-file.ts';
import type { QueueContents } from './queue/queue-contents.ts';
import type { Timers } from './tasks/timers.ts';

/** Assets of one Item into one folder. */
export interface ItemOrder {
  /** The catalog that the Item is from. */
  connectionId: string;
  ref: ItemRef;
  /** The Item, where whoever orders has it; else it is asked for. */
  item?: IdentifiedItem;
  assetKeys: readonly string[];
  /** Absolute path of a folder that exists. */
  destination: string;
  links: LinkMode;
}

/** An Item of an order with what is wanted of it. */
export interface OrderedItem {
  ref: ItemRef;
  /** Null: it is asked for. An error: it can't be had, and is told as a problem. */
  item: StacItem | null;
  error?: Error;
  /** Keys, or the rule that chooses among the Item's assets. */
  wanted: readonly string[] | AssetRule;
}

/** Assets of many Items into one folder, queued together. */
export interface DownloadOrder {
  connectionId: string;
  destination: string;
  links: LinkMode;
  /** Whether the user's own AWS credentials may be used for it; left out: as the connection says. */
  s3Access?: S3Access | undefined;
  title: string;
  origin: OrderOrigin;
  priority: TransferPriority;
  /** Read piece by piece, so that thousands of Items never lie in memory together. */
  items: Iterable<OrderedItem> | AsyncIterable<OrderedItem>;
  itemCount: number;
}

/** Files of one Item that are under their final names. */
export interface FinishedOrder extends Pick<ItemOrder, 'connectionId' | 'ref' | 'destination'> {
  item: StacItem;
  files: readonly {
    assetKey: string;
    filePath: string;
    sizeBytes: number;
    verification: Verification;
    /** Multihash in hex. */
    digest: string;
    finishedAtMs: number;
  }[];
}

/** What watchers are told: transfers that changed, whole, and the ids of those taken off the list. */
export interface TransferChanges {
  changed: Transfer[];
  removed: number[];
  /** All orders, when they are others than before. */
  orders: DownloadOrderView[] | null;
  queue: QueueStatus;
  /** False while what has changed, or the first list, is not told to its end: the rest comes in a moment. */
  isComplete: boolean;
}

/** What was found when a file was read again. */
export interface VerifyResult {
  transferId: number;
  result: 'ok' | 'missing' | 'changed' | 'unreadable';
}

/**
 * The download queue: durable, goes on by itself after a restart. With an `askKey`, made by whoever asks, something is done
 * once: asked for again by it, the answer is that of the first time.
 */
export interface Downloads extends QueueContents {
  /**
   * Queues assets of one Item; resolves once they are on disk, with those that the Item doesn't have. An unfinished
   * transfer of the same asset into the same folder is taken over and goes on where it was.
   * @throws AppError `connection.not-found`, `stac.*`, `network.*`, `auth.*`, `input.invalid`, `transfer.destination-missing`,
   *   `transfer.destination-not-writable`, `link.none`
   */
  start(order: ItemOrder): Promise<{ downloadId: number; problems: readonly OrderProblem[] }>;
  /**
   * Queues an order, all of it or nothing: resolves once it is on disk. What is in the queue for that folder is taken
   * over, what it brought there before and is still there is left out, and what can't be had is told.
   * @throws AppError as `start`; `input.too-large` for more than 10,000 files; `cancelled`, and then nothing was queued
   */
  order(
    order: DownloadOrder,
    options?: {
      signal?: AbortSignal;
      onProgress?: (progress: OrderProgress) => void;
      /** False: what is in the queue for that folder already stays as it is, and is left out. */
      takesOver?: boolean;
      askKey?: string | undefined;
    },
  ): Promise<OrderProgress>;
  /** What an order would bring; changes nothing. @throws AppError as `order` */
  plan(
    order: Pick<DownloadOrder, 'connectionId' | 'destination' | 'items'>,
    options?: { signal?: AbortSignal },
  ): Promise<OrderPlan>;
  /** Takes files onto the list that came in another way, complete and verified, as downloads that are done. */
  addFinished(order: FinishedOrder): void;
  /** Resolves to how many, when those that ran have stopped. @throws AppError `transfer.not-found` */
  pause(which: number | TransferFilter, askKey?: string): Promise<{ count: number }>;
  /**
   * Goes on with paused and waiting transfers, and tries failed ones again; with cancelled ones, and done ones whose
   * file is missing or changed, only where ids or states name them.
   * @throws AppError `transfer.not-found`
   */
  resume(which: number | TransferFilter, askKey?: string): Promise<{ count: number }>;
  /** Takes transfers to the front and gives them slots, if need be those of others. @throws AppError `transfer.not-found` */
  startNow(transferIds: readonly number[]): Promise<{ count: number }>;
  /**
   * Ends transfers. For a while, at the longest until the program ends, `undoCancel` has them back with their bytes;
   * then the part files are deleted.
   * @throws AppError `transfer.not-found`
   */
  cancel(
    which: number | TransferFilter,
    askKey?: string,
  ): Promise<{ cancelId: number; count: number; undoUntilMs: number }>;
  undoCancel(cancelId: number, askKey?: string): Promise<{ count: number }>;
  /**
   * Takes settled transfers, except paused ones, off the list; finished files and their history stay.
   * @throws AppError `transfer.not-found`
   */
  remove(which: number | TransferFilter, askKey?: string): Promise<{ count: number }>;
  /** @throws AppError `transfer.not-found` */
  move(transferIds: readonly number[], place: TransferPlace): Promise<{ count: number }>;
  /** @throws AppError `transfer.not-found` */
  prioritise(which: TransferFilter, priority: TransferPriority, askKey?: string): Promise<{ count: number }>;
  /**
   * Sends what is not done to another folder, where it goes on; failed and waiting ones are tried again. `anewCount` of
   * them begin anew, because what came of them is out of reach.
   * @throws AppError `transfer.not-found`, `input.invalid`, `transfer.destination-missing`,
   *   `transfer.destination-not-writable`
   */
  sendTo(which: number | TransferFilter, destination: string): Promise<{ count: number; anewCount: number }>;
  /** Stops everything, through restarts, until `resumeQueue`. */
  pauseQueue(): Promise<void>;
  resumeQueue(): void;
  /** Reads files that are done again, and notes what is wrong with them. @throws AppError `transfer.not-found`, `cancelled` */
  verify(
    which: TransferFilter,
    options: {
      signal: AbortSignal;
      onProgress: (progress: { totalCount: number; doneCount: number; results: VerifyResult[] }) => void;
    },
  ): Promise<void>;
  /**
   * Notes what somebody has found of files; gives how many that are missing or changed the queue has brought, and the paths
   * of missing ones whose drive isn't there.
   */
  noteFindings(findings: readonly FileFinding[]): Promise<{ spoiltCount: number; unknownPaths: string[] }>;
  /** What became of an order, or of all. @throws AppError `transfer.not-found` */
  report(downloadId: number | null): TransferReport;
  history(page: { text: string; offset: number; limit: number }): HistoryPage;
  /** The files that were brought of an Item, the last one of each asset, and whether they are still there. */
  brought(connectionId: string, ref: ItemRef): Promise<BroughtFile[]>;
  /** The assets of each Item of which a file was brought. */
  broughtAssets(connectionId: string, refs: readonly ItemRef[]): string[][];
  clearHistory(): { count: number };
  dismissNotice(): void;
  /** All transfers, in the queue's order: with thousands of them, longer than a frame. */
  transfers(): Transfer[];
  /** One transfer. @throws AppError `transfer.not-found` */
  transfer(transferId: number): Transfer;
  /** A closer look at one transfer. @throws AppError `transfer.not-found` */
  details(transferId: number): TransferDetails;
  orders(): DownloadOrderView[];
  /** The files that are neither done nor cancelled, in the queue's order; of one order, or of all. */
  openFiles(downloadId: number | null): Iterable<OpenFile>;
  status(): QueueStatus;
  /** Gives all transfers, in several pieces where they are many, then those that changed, at most 4 times a second. */
  watch(listener: (changes: TransferChanges) => void): () => void;
  /** Resolves when no transfer of the order can go on by itself. @throws AppError `cancelled` */
  waitUntilSettled(downloadId: number, signal?: AbortSignal): Promise<Transfer[]>;
  /** Nothing runs while a person works offline, but what is read on the disk; after that all goes on. */
  setOffline(isOffline: boolean): void;
  /** Goes on with what waits for a login: of one catalog, or of the proxy on the way to all (null). */
  noteSignedIn(connectionId: string | null): void;
  /** How much transfers may have from now on, those that run included. */
  setLimits(limits: TransferLimits): void;
  /** Where fewer are allowed than run now, the last in the queue's order go back to it. */
  setMaxConcurrentTransfers(count: number): void;
  /** Brings every running transfer to a point from which it can go on, and closes the queue. */
  close(): Promise<void>;
}

/** A link from the transfer's own catalog. @throws AppError as ResolveLink; `connection.not-found` */
export type ResolveCatalogLink = (
  asset: AssetRef & { connectionId: string },
  options: ResolveOptions,
) => Promise<LinkedAsset>;

/** What the queue is made of. */
export interface DownloadsOptions {
  /** The queue's own SQLite file. */
  filePath: string;
  http: HttpClient;
  resolveLink: ResolveCatalogLink;
  /** The Item as its catalog or the library has it. */
  loadItem: (ref: ItemRef, connectionId: string) => Promise<IdentifiedItem>;
  loadCollection: (collectionId: string, connectionId: string) => Promise<StacCollection>;
  /** Told of the folder of each order, and at the start of those in the queue: files are looked for there. */
  noteDestination?: (used: { connectionId: string; destination: string; usedAtMs: number }) => void;
  /** Folders that downloads went to: part files are looked for there when the queue's file is lost. */
  knownDestinations?: () => readonly { connectionId: string; destination: string }[];
  clock: Clock;
  logger: Logger;
  appVersion: string;
  maxConcurrentTransfers: number;
  /** Whether nothing is to run as long as it is open: for who only looks at the queue, or changes it. */
  isAtRest?: boolean;
  /** Whether the file is a copy, to look at: then it must be sound, and no part file goes. */
  isCopy?: boolean;
  /** Left out: those of a first start. */
  limits?: TransferLimits;
  /** Whether a person works offline. */
  isOffline?: boolean;
  /** Left out: a system that tells nothing. */
  system?: SystemPort;
  /** Whether a catalog's own server can be reached, asked when a storage can't. Left out: it always can. */
  probe?: (connectionId: string) => Promise<boolean>;
  /** Whether a catalog that can be reached proves that there is a network; one on this computer doesn't. All do unless told. */
  tellsOfNetwork?: (connectionId: string) => boolean;
  /** For how long a cancelled transfer can be had back. */
  undoMs?: number;
  /** In [0, 1); spreads retries. */
  random?: () => number;
  timers?: Timers;
  /** The file systems that files are brought to. */
  disk?: Disk;
  /** How part files are written, where not as usual. */
  partSizes?: Partial<PartSizes>;
}
