import { toItemKey } from '#shared/stac/item-key.ts';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';

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
