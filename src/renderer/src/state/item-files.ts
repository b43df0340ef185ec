import { toItemKey } from '#shared/stac/item-key.ts';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';

/** What became of an Item's assets, each counted once, by its latest transfer. */
export interface ItemFiles {
  /** Brought home, and not found to be missing or changed since. */
  broughtCount: number;
  /** Queued, on their way, waiting or paused. */
  comingCount: number;
  /** Failed, missing or changed. */
  failedCount: number;
}

/** The latest transfer of each asset of a catalog, but those that were cancelled, by Item. */
export function latestTransfers(
  transfers: readonly Transfer[],
  orders: readonly DownloadOrderView[],
  connectionId: string,
): ReadonlyMap<string, ReadonlyMap<string, Transfer>> {
  const ours = new Set(
    orders.filter((order) => order.connectionId === connectionId).map(({ downloadId }) => downloadId),
  );
  const byItem = new Map<string, Map<string, Transfer>>();
  for (const transfer of transfers) {
    if (!ours.has(transfer.downloadId) || transfer.state === 'cancelled') continue;
    const key = toItemKey(transfer);
    const ofItem = byItem.get(key) ?? new Map<string, Transfer>();
    const known = ofItem.get(transfer.assetKey);
    if (!known || known.transferId < transfer.transferId) ofItem.set(transfer.assetKey, transfer);
    byItem.set(key, ofItem);
  }
  return byItem;
}

/** What became of an Item's assets: by the list where it has them, else by what is remembered of those that came. */
export function countFiles(
  listed: ReadonlyMap<string, Transfer>,
  rememberedKeys: readonly string[],
): ItemFiles {
  const files = { broughtCount: 0, comingCount: 0, failedCount: 0 };
  files.broughtCount = rememberedKeys.filter((key) => !listed.has(key)).length;
  for (const { state, finding } of listed.values()) {
    if (state === 'failed' || finding !== null) files.failedCount += 1;
    else if (state === 'done') files.broughtCount += 1;
    else files.comingCount += 1;
  }
  return files;
}
