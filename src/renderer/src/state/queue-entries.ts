import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import { placeOf, type OrderSummary } from './order-summary.ts';

/** What of the queue is shown. */
export type QueueTab = 'all' | 'running' | 'waiting' | 'paused' | 'failed' | 'done' | 'cancelled';

/** A line of the list: an order with those of its transfers that fit, or a transfer below its order. */
export type QueueEntry =
  | { kind: 'order'; key: string; downloadId: number; isOpen: boolean; transferIds: readonly number[] }
  | { kind: 'transfer'; key: string; transferId: number; downloadId: number };

const statesOf: Record<Exclude<QueueTab, 'all'>, readonly TransferState[]> = {
  running: ['preparing', 'downloading', 'verifying', 'finalizing'],
  waiting: ['queued', 'waiting'],
  paused: ['paused'],
  failed: ['failed'],
  done: ['done'],
  cancelled: ['cancelled'],
};

/**
 * What works is on top, then what a person has to look at, then what is to come in its order. What asks for its link
 * stays among these: where the network is away it does so again and again, and would jump up and down. So does what is
 * paused, or whoever pauses one after the other would be carried off with each.
 */
const ranks: Record<TransferState, number> = {
  preparing: 2,
  downloading: 0,
  verifying: 0,
  finalizing: 0,
  failed: 1,
  waiting: 2,
  queued: 2,
  paused: 2,
  done: 3,
  cancelled: 4,
};

/** States of a part of the queue. */
export function isInTab({ state, finding }: Pick<Transfer, 'state' | 'finding'>, tab: QueueTab): boolean {
  if (tab === 'all') return true;
  // A file that is not as it was is no longer done in the eyes of whoever needs it.
  if (finding !== null) return tab === 'failed';
  return statesOf[tab].includes(state);
}

/** A test whether all words of a text are found in a transfer or its order. */
export function createTextTest(
  text: string,
): (transfer: Transfer, order: DownloadOrderView | null) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return ({ itemId, assetKey, collectionId, filePath }, order) => {
    const all = `${itemId} ${assetKey} ${collectionId} ${filePath ?? ''} ${order?.title ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

interface QueueView {
  orders: readonly DownloadOrderView[];
  summaries: ReadonlyMap<number, OrderSummary>;
  tab: QueueTab;
  text: string;
  /** Orders whose transfers are folded away. */
  folded: ReadonlySet<number>;
}

/**
 * The lines of the list. Orders with something to come are on top in the queue's order, then what a person has paused,
 * then the newest.
 */
export function listEntries(transfers: readonly Transfer[], view: QueueView): QueueEntry[] {
  const orderOf = new Map(view.orders.map((order) => [order.downloadId, order]));
  const isFound = createTextTest(view.text);
  const shown = new Map<number, Transfer[]>();
  for (const transfer of transfers) {
    const { downloadId } = transfer;
    if (!isInTab(transfer, view.tab) || !isFound(transfer, orderOf.get(downloadId) ?? null)) continue;
    const members = shown.get(downloadId);
    if (members) members.push(transfer);
    else shown.set(downloadId, [transfer]);
  }
  const placeOfOrder = (downloadId: number): number => view.summaries.get(downloadId)?.place ?? Infinity;
  const isPaused = (downloadId: number): boolean => (view.summaries.get(downloadId)?.counts.paused ?? 0) > 0;
  const ids = [...shown.keys()].sort(
    (a, b) => compare(placeOfOrder(a), placeOfOrder(b)) || Number(isPaused(b)) - Number(isPaused(a)) || b - a,
  );
  return ids.flatMap((downloadId) => {
    const members = shown.get(downloadId) ?? [];
    const isOpen = isUnfolded(downloadId, view);
    const head: QueueEntry = {
      kind: 'order',
      key: orderKey(downloadId),
      downloadId,
      isOpen,
      transferIds: members.map(({ transferId }) => transferId),
    };
    return isOpen ? [head, ...members.sort(compareTransfers).map(toEntry)] : [head];
  });
}

/** Whether the transfers of an order are shown: what is looked for is to be seen. */
export function isUnfolded(
  downloadId: number,
  { text, folded }: Pick<QueueView, 'text' | 'folded'>,
): boolean {
  return text.trim() !== '' || !folded.has(downloadId);
}

/** Key of the line of an order. */
export function orderKey(downloadId: number): string {
  return `order ${downloadId}`;
}

/** Key of the line of a transfer. */
export function transferKey(transferId: number): string {
  return String(transferId);
}

function toEntry({ transferId, downloadId }: Transfer): QueueEntry {
  return { kind: 'transfer', key: transferKey(transferId), transferId, downloadId };
}

function compareTransfers(a: Transfer, b: Transfer): number {
  return ranks[a.state] - ranks[b.state] || compare(placeOf(a), placeOf(b)) || a.transferId - b.transferId;
}

// A difference of infinities is no number.
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
