import type { Transfer } from '#shared/transfer/transfer.ts';
import { placeOf } from './order-summary.ts';
import type { QueueEntry } from './queue-entries.ts';

/** Where the lines of the list were when a person laid hands on it, so that none moves away from under the pointer. */
export interface HeldList {
  /** From the top, by the keys of the lines. */
  lines: ReadonlyMap<string, number>;
  /** Where their transfers stood in the queue. */
  places: ReadonlyMap<number, number>;
}

/** Remembers where the lines are now. */
export function holdList(entries: readonly QueueEntry[], transfers: readonly Transfer[]): HeldList {
  return {
    lines: new Map(entries.map(({ key }, index) => [key, index])),
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
