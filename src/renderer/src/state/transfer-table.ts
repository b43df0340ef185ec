import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { summarise, type OrderSummary } from './order-summary.ts';

/** All transfers by their ids. It has no signals: 10,000 of them change in a moment when a person pauses all. */
export class TransferTable {
  readonly #byId = new Map<number, Transfer>();

  clear(): void {
    this.#byId.clear();
  }

  find(transferId: number): Transfer | null {
    return this.#byId.get(transferId) ?? null;
  }

  all(): Transfer[] {
    return [...this.#byId.values()];
  }

  /** What is to be said of each order, by its id. */
  summarise(flows: QueueStatus['flows']): ReadonlyMap<number, OrderSummary> {
    return summarise(this.#byId.values(), flows);
  }

  /** Takes changes in. Returns whether a list of them looks different, beyond numbers in its rows. */
  take(changed: readonly Transfer[], removed: readonly number[]): boolean {
    let isReshaped = removed.length > 0;
    for (const transfer of changed) {
      isReshaped ||= isElsewhere(this.#byId.get(transfer.transferId), transfer);
      this.#byId.set(transfer.transferId, transfer);
    }
    for (const transferId of removed) this.#byId.delete(transferId);
    return isReshaped;
  }
}

/** Whether a transfer has another place in a list than before. */
function isElsewhere(before: Transfer | undefined, now: Transfer): boolean {
  return (
    before === undefined ||
    before.state !== now.state ||
    before.position !== now.position ||
    before.priority !== now.priority ||
    before.downloadId !== now.downloadId ||
    before.finding !== now.finding
  );
}
