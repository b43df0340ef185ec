import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TransferChanges } from '../downloads.ts';
import type { Timers } from '../tasks/timers.ts';

const intervalMs = 250;
/** Rates sink also when nothing comes. */
const liveIntervalMs = 1000;
/** Transfers told in one piece, and the pause between two pieces. */
const perPiece = 500;
const pieceIntervalMs = 10;
const retryMs = 1000;

/** Tells watchers what changed, each transfer at most 4 times a second. */
export interface ChangeFeed {
  markChanged(transferId: number): void;
  markRemoved(transferId: number): void;
  /** Orders, or the queue as a whole, are others now. */
  markOrders(): void;
  markStatus(): void;
  watch(listener: (changes: TransferChanges) => void): () => void;
  close(): void;
}

/** Where a feed has it from. */
export interface FeedSource {
  timers: Timers;
  /** All transfers, in the queue's order. */
  ids(): number[];
  read(transferId: number): Transfer | null;
  /** Transfers whose figures change by themselves. */
  liveIds(): number[];
  orders(): DownloadOrderView[];
  status(): QueueStatus;
  /** The queue couldn't be read; what was to be told is tried again. */
  onFailure(error: unknown): void;
}

interface Watcher {
  /** What is being told, piece by piece, and what changed since that began. */
  telling: number[];
  changed: Set<number>;
  removed: Set<number>;
  hasNewOrders: boolean;
  status: QueueStatus;
  cancel: (() => void) | null;
  /** Whether what it waits for is no change, but time to look at rates. */
  isResting: boolean;
  listener: (changes: TransferChanges) => void;
}

/** A feed of transfers. */
export function createChangeFeed(source: FeedSource): ChangeFeed {
  const { timers } = source;
  const watchers = new Set<Watcher>();

  function schedule(watcher: Watcher): void {
    if (watcher.isResting) {
      watcher.cancel?.();
      watcher.cancel = null;
      watcher.isResting = false;
    }
    wait(watcher, intervalMs, () => begin(watcher));
  }

  function wait(watcher: Watcher, delayMs: number, work: () => void): void {
    watcher.cancel ??= timers.after(delayMs, () => {
      watcher.cancel = null;
      watcher.isResting = false;
      try {
        work();
      } catch (error) {
        source.onFailure(error);
        if (watchers.has(watcher)) wait(watcher, retryMs, () => begin(watcher));
      }
    });
  }

  function begin(watcher: Watcher): void {
    const status = source.status();
    // Of the last time there may be something left, where reading it has marked more, or has failed.
    watcher.telling = [...new Set([...watcher.telling, ...watcher.changed, ...source.liveIds()])];
    watcher.changed.clear();
    watcher.status = status;
    tellPiece(watcher);
  }

  function tellPiece(watcher: Watcher): void {
    const { removed, hasNewOrders, status: queue } = watcher;
    // Nothing is crossed off before it was read.
    const changed = watcher.telling.slice(0, perPiece).flatMap((transferId) => source.read(transferId) ?? []);
    const orders = hasNewOrders ? source.orders() : null;
    watcher.telling.splice(0, perPiece);
    watcher.removed = new Set();
    watcher.hasNewOrders = false;
    const isComplete = watcher.telling.length === 0;
    watcher.listener({ changed, removed: [...removed], orders, queue, isComplete });
    if (!watchers.has(watcher)) return;
    // What was told may have led to more.
    const {
      telling,
      changed: marked,
      removed: gone,
      hasNewOrders: areOrdersNew,
    } = watcher as Readonly<Watcher>;
    if (telling.length > 0) wait(watcher, pieceIntervalMs, () => tellPiece(watcher));
    else if (marked.size + gone.size > 0 || areOrdersNew) schedule(watcher);
    else if (source.liveIds().length > 0) {
      wait(watcher, liveIntervalMs, () => begin(watcher));
      watcher.isResting = true;
    }
  }

  function markAll(change: (watcher: Watcher) => void): void {
    for (const watcher of watchers) {
      change(watcher);
      schedule(watcher);
    }
  }

  return {
    markChanged: (transferId) => markAll(({ changed }) => void changed.add(transferId)),
    markRemoved: (transferId) =>
      markAll(({ changed, removed }) => {
        changed.delete(transferId);
        removed.add(transferId);
      }),
    markOrders: () => markAll((watcher) => void (watcher.hasNewOrders = true)),
    markStatus: () => markAll(() => undefined),
    watch(listener) {
      const watcher: Watcher = {
        telling: source.ids(),
        changed: new Set(),
        removed: new Set(),
        hasNewOrders: true,
        status: source.status(),
        cancel: null,
        isResting: false,
        listener,
      };
      watchers.add(watcher);
      tellPiece(watcher);
      return () => {
        watcher.cancel?.();
        watchers.delete(watcher);
      };
    },
    close() {
      for (const watcher of watchers) watcher.cancel?.();
      watchers.clear();
    },
  };
}
