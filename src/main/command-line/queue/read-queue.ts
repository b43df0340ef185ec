import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { iterate } from './iterate.ts';
import type { OpenedQueue } from './open-queue.ts';

/** @throws AppError `transfer.not-found` where an order is named that there is not */
export async function throwIfNoOrder(
  queue: OpenedQueue['queue'],
  downloadId: number | undefined,
): Promise<void> {
  if (downloadId !== undefined) await queue.report({ downloadId });
}

/** All that is in the queue, in its order. */
export async function readQueue(
  queue: OpenedQueue['queue'],
  { signal }: { signal: AbortSignal },
): Promise<{ transfers: Transfer[]; orders: DownloadOrderView[]; status: QueueStatus }> {
  const transfers = new Map<number, Transfer>();
  let orders: DownloadOrderView[] = [];
  for await (const changes of iterate(queue.watch, {}, signal)) {
    for (const one of changes.changed) transfers.set(one.transferId, one);
    for (const transferId of changes.removed) transfers.delete(transferId);
    orders = changes.orders ?? orders;
    if (changes.isComplete) return { transfers: [...transfers.values()], orders, status: changes.queue };
  }
  throw new Error('A queue that is watched has no end');
}
