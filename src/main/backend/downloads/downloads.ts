import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { LinkMode, Transfer, Verification } from '#shared/transfer/transfer.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { AssetRef, LinkedAsset, ResolveOptions } from '../links/link.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Timers } from './timers.ts';

/** What one download brings: assets of one Item into one folder. */
export interface DownloadOrder {
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

/** Files of one Item that are under their final names. */
export interface FinishedOrder extends Pick<DownloadOrder, 'connectionId' | 'ref' | 'destination'> {
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

/** Transfers that changed, whole, and the ids of those taken off the list. */
export interface TransferChanges {
  changed: Transfer[];
  removed: number[];
}

/** The download queue: durable, goes on by itself after a restart. */
export interface Downloads {
  /**
   * Queues an order; resolves once it is on disk. An unfinished transfer of the same asset into the same folder is
   * taken over and goes on where it was.
   * @throws AppError `connection.not-found`, `stac.*`, `network.*`, `auth.*`, `input.invalid`, `transfer.destination-missing`,
   *   `transfer.destination-not-writable`
   */
  start(order: DownloadOrder): Promise<{ downloadId: number }>;
  /** Takes files onto the list that came in another way, complete and verified, as downloads that are done. */
  addFinished(order: FinishedOrder): void;
  /** @throws AppError `transfer.not-found` */
  pause(transferId: number): Promise<void>;
  /** Goes on with a paused or waiting transfer, or tries a failed one again. @throws AppError `transfer.not-found` */
  resume(transferId: number): Promise<void>;
  /** Ends a transfer and deletes its part file. @throws AppError `transfer.not-found` */
  cancel(transferId: number): Promise<void>;
  /** Takes a settled transfer off the list; finished files stay. @throws AppError `transfer.not-found` */
  remove(transferId: number): Promise<void>;
  /** All transfers, oldest first. */
  transfers(): Transfer[];
  /** Gives all transfers at once, then those that changed, at most 4 times a second. Returns the way to stop. */
  watch(listener: (changes: TransferChanges) => void): () => void;
  /** Resolves when no transfer of the download can go on by itself. @throws AppError `cancelled` */
  waitUntilSettled(downloadId: number, signal?: AbortSignal): Promise<Transfer[]>;
  /** Goes on with what waits for the network to be switched on. */
  noteNetworkIsOn(): void;
  /** Where fewer are allowed than run now, the newest go back to the queue. */
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
  noteDestination?: (order: { connectionId: string; destination: string }) => void;
  clock: Clock;
  logger: Logger;
  appVersion: string;
  maxConcurrentTransfers: number;
  /** In [0, 1); spreads retries. */
  random?: () => number;
  timers?: Timers;
}
