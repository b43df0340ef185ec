import { AppError } from '#shared/errors/app-error.ts';
import type { OrderProgress } from '#shared/transfer/download-order.ts';
import type { Clock } from '../../ports.ts';
import type { DownloadOrder, Downloads, DownloadsOptions, ItemOrder } from '../downloads.ts';
import type { Volumes } from '../file/volumes.ts';
import { addFinished } from '../queue/add-finished.ts';
import type { ChangeFeed } from '../queue/change-feed.ts';
import { checkDestination } from '../queue/check-destination.ts';
import { readContent } from '../queue/order-content.ts';
import { placeOrder, type PlaceOptions } from '../queue/place-order.ts';
import { planOrder } from '../queue/plan-order.ts';
import type { QueueFile } from '../queue/queue-file.ts';
import type { SerialTasks } from '../tasks/serial-tasks.ts';

/** Takes orders into the queue. */
export type OrderDesk = Pick<Downloads, 'start' | 'order' | 'plan' | 'addFinished'>;

interface DeskParts extends Pick<DownloadsOptions, 'loadItem'> {
  queue: Pick<QueueFile, 'transfers' | 'orders' | 'answers' | 'lazy'>;
  tasks: SerialTasks;
  volumes: Volumes;
  feed: ChangeFeed;
  clock: Clock;
  /** Goes on with transfers that an order took over. */
  goOn: (transferIds: readonly number[]) => Promise<void>;
  /** Told of a folder that something goes to. */
  noteUse: (use: { connectionId: string; destination: string }) => void;
  /** Told when an order is on disk, and its files may run; some were another order's, and may run already. */
  onPlaced: (placed: { downloadId: number; adoptedIds: readonly number[] }) => void;
}

/** Opens the desk of a queue. */
export function createOrderDesk(parts: DeskParts): OrderDesk {
  const { queue, feed, clock, loadItem } = parts;
  const { transfers: store, orders, answers, lazy } = queue;

  // One order after the other, so that two never queue the same file.
  function place(order: DownloadOrder, placing: PlaceOptions) {
    return parts.tasks.run('order', async () => {
      const earlier = answers.find(placing.askKey) as OrderProgress | null;
      if (earlier !== null) return earlier;
      const { connectionId } = order;
      const destination = await checkDestination(order.destination);
      // A rule of long ago doesn't know which drive is plugged in today.
      if (order.origin.kind !== 'rule') await parts.volumes.choose(destination);
      const { progress, adoptedIds } = await placeOrder(
        { orders, answers, lazy, clock, loadItem },
        { ...order, destination },
        placing,
      );
      const { downloadId } = progress;
      if (downloadId === null) return progress;
      parts.noteUse({ connectionId, destination });
      tell(store.idsOf({ downloadId }));
      try {
        await parts.goOn(adoptedIds);
      } finally {
        // It is in the queue, whatever becomes of those that it has taken over.
        parts.onPlaced({ downloadId, adoptedIds });
      }
      return progress;
    });
  }

  function tell(transferIds: readonly number[]): void {
    feed.markOrders();
    for (const transferId of transferIds) feed.markChanged(transferId);
  }

  return {
    async start(order) {
      const wish = { ...order, destination: await checkDestination(order.destination) };
      const { item } = order.item ?? (await loadItem(order.ref, order.connectionId));
      const { downloadId, problems } = await place(toOrder(wish, item), { includesThere: true });
      const [problem] = problems;
      if (downloadId !== null) return { downloadId, problems };
      throw problem
        ? AppError.fromData(problem.error)
        : new AppError('input.invalid', 'No assets were named', { details: { field: 'assetKeys' } });
    },
    order: (order, placing = {}) => place(order, placing),
    async plan(order, { signal } = {}) {
      const destination = await checkDestination(order.destination);
      const contents = readContent({ orders, loadItem }, { ...order, destination }, signal);
      return planOrder(orders, destination, contents);
    },
    addFinished(order) {
      parts.noteUse(order);
      const added = addFinished(queue, order, clock.now());
      if (added.length > 0) tell(added);
    },
  };
}

function toOrder(
  { connectionId, destination, links, ref, assetKeys }: ItemOrder,
  item: NonNullable<ItemOrder['item']>['item'],
): DownloadOrder {
  return {
    connectionId,
    destination,
    links,
    title: ref.itemId,
    origin: { kind: 'item' },
    priority: 'normal',
    items: [{ ref, item, wanted: assetKeys }],
    itemCount: 1,
  };
}
