import type { Transfer } from '#shared/transfer/transfer.ts';
import { placeOf } from './order-summary.ts';
import { orderKey, type QueueEntry, type QueueTab } from './queue-entries.ts';

/** The lines of the list when a person laid hands on it, so that none moves away from under the pointer. */
export interface HeldList {
  /** By their orders, from the top. */
  orders: ReadonlyMap<number, HeldOrder>;
  keys: ReadonlySet<string>;
  /** Where their transfers stood in the queue. */
  places: ReadonlyMap<number, number>;
}

interface HeldOrder {
  isOpen: boolean;
  /** Those that the list let through, in its order where it showed them. */
  transferIds: readonly number[];
}

interface Now {
  transfers: readonly Transfer[];
  tab: QueueTab;
  isUnfolded: (downloadId: number) => boolean;
}

/** An order that is held, as it is now. */
interface Held {
  before: HeldOrder;
  /** What the list would show of it were it not held; undefined where that is nothing. */
  after: HeldOrder | undefined;
  isOpen: boolean;
  /** Whether a line may be added without moving others. */
  isLast: boolean;
}

/** Remembers the lines as they are now. */
export function holdList(entries: readonly QueueEntry[], transfers: readonly Transfer[]): HeldList {
  return {
    orders: groupByOrder(entries),
    keys: new Set(entries.map(({ key }) => key)),
    places: new Map(transfers.map((transfer) => [transfer.transferId, placeOf(transfer)])),
  };
}

/** Whether somebody has given the queue another order since: who moves a file wants to see it move. */
export function isReordered({ places }: HeldList, transfers: readonly Transfer[]): boolean {
  return transfers.some((transfer) => {
    const place = places.get(transfer.transferId);
    return place !== undefined && place !== placeOf(transfer);
  });
}

/**
 * The lines of `entries` where they were held. What has gone on by itself to another part of the queue keeps its line. What
 * is new is shown where it moves none: below all that is held.
 */
export function keepLines(
  held: HeldList,
  entries: readonly QueueEntry[],
  { transfers, tab, isUnfolded }: Now,
): QueueEntry[] {
  const orders = groupByOrder(entries);
  const goneOn = findGoneOn(transfers, tab);
  const lastId = [...held.orders.keys()].at(-1);
  const kept = [...held.orders].flatMap(([downloadId, before]) => {
    const after = orders.get(downloadId);
    const isLast = downloadId === lastId;
    const isOpen = isUnfolded(downloadId);
    return toLines(downloadId, { isOpen, transferIds: keepOrder({ before, after, isOpen, isLast }, goneOn) });
  });
  return [...kept, ...entries.filter(({ downloadId }) => !held.orders.has(downloadId))];
}

function keepOrder({ before, after, isOpen, isLast }: Held, goneOn: ReadonlySet<number>): readonly number[] {
  const shown = new Set(after?.transferIds);
  const stay = before.transferIds.filter((id) => shown.has(id) || goneOn.has(id));
  // Just unfolded, or nothing else is left of it.
  if ((isOpen && !before.isOpen) || stay.length === 0) return [...new Set([...shown, ...stay])];
  return isLast || !isOpen ? [...new Set([...stay, ...shown])] : stay;
}

/** Those that have left a part of the queue by themselves, and not because somebody paused or cancelled them. */
function findGoneOn(transfers: readonly Transfer[], tab: QueueTab): ReadonlySet<number> {
  const isByItself = tab === 'running' || tab === 'waiting';
  return new Set(
    transfers.flatMap(({ transferId, state }) =>
      isByItself && state !== 'paused' && state !== 'cancelled' ? [transferId] : [],
    ),
  );
}

function groupByOrder(entries: readonly QueueEntry[]): Map<number, HeldOrder> {
  const orders = new Map<number, HeldOrder & { transferIds: number[] }>();
  for (const entry of entries) {
    if (entry.kind === 'transfer') orders.get(entry.downloadId)?.transferIds.push(entry.transferId);
    else {
      const { downloadId, isOpen, transferIds } = entry;
      orders.set(downloadId, { isOpen, transferIds: isOpen ? [] : [...transferIds] });
    }
  }
  return orders;
}

function toLines(downloadId: number, { isOpen, transferIds }: HeldOrder): QueueEntry[] {
  if (transferIds.length === 0) return [];
  const head: QueueEntry = { kind: 'order', key: orderKey(downloadId), downloadId, isOpen, transferIds };
  const lines = transferIds.map((transferId): QueueEntry => ({
    kind: 'transfer',
    key: String(transferId),
    transferId,
    downloadId,
  }));
  return isOpen ? [head, ...lines] : [head];
}
