import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TransferChanges } from './downloads.ts';
import type { Timers } from './timers.ts';

const intervalMs = 250;

/** Tells watchers what changed, at most 4 times a second each. */
export interface ChangeFeed {
  markChanged(transferId: number): void;
  markRemoved(transferId: number): void;
  watch(listener: (changes: TransferChanges) => void): () => void;
  close(): void;
}

interface Watcher {
  changed: Set<number>;
  removed: Set<number>;
  cancel: (() => void) | null;
  listener: (changes: TransferChanges) => void;
}

/** A feed of transfers; `read` gives those that are still there. */
export function createChangeFeed(options: {
  timers: Timers;
  readAll(): Transfer[];
  read(transferId: number): Transfer | null;
}): ChangeFeed {
  const watchers = new Set<Watcher>();

  function schedule(watcher: Watcher): void {
    watcher.cancel ??= options.timers.after(intervalMs, () => flush(watcher));
  }

  function flush(watcher: Watcher): void {
    watcher.cancel = null;
    const changed = [...watcher.changed].flatMap((transferId) => options.read(transferId) ?? []);
    const removed = [...watcher.removed];
    watcher.changed.clear();
    watcher.removed.clear();
    if (changed.length > 0 || removed.length > 0) watcher.listener({ changed, removed });
  }

  return {
    markChanged(transferId) {
      for (const watcher of watchers) {
        watcher.changed.add(transferId);
        schedule(watcher);
      }
    },
    markRemoved(transferId) {
      for (const watcher of watchers) {
        watcher.changed.delete(transferId);
        watcher.removed.add(transferId);
        schedule(watcher);
      }
    },
    watch(listener) {
      const watcher: Watcher = { changed: new Set(), removed: new Set(), cancel: null, listener };
      watchers.add(watcher);
      listener({ changed: options.readAll(), removed: [] });
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
