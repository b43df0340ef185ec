import { expect, it } from 'vitest';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TransferChanges } from '../downloads.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { createChangeFeed } from './change-feed.ts';

it('tells what changed once the queue can be read again, and breaks nothing meanwhile', () => {
  const time = createManualTime();
  const failures: unknown[] = [];
  const told: TransferChanges[] = [];
  let isReadable = true;
  const read = <Known>(known: Known): Known => {
    if (!isReadable) throw new Error('disk I/O error');
    return known;
  };
  const feed = createChangeFeed({
    timers: time.timers,
    ids: () => [],
    read: (transferId) => read({ transferId } as Transfer),
    liveIds: () => [],
    orders: () => read([]),
    status: () => ({}) as QueueStatus,
    onFailure: (error) => failures.push(error),
  });
  feed.watch((changes) => told.push(changes));
  isReadable = false;
  feed.markChanged(7);
  feed.markRemoved(8);
  feed.markOrders();
  time.advance(1000);
  expect([failures.length > 0, told.length]).toEqual([true, 1]);
  isReadable = true;
  time.advance(2000);
  expect(told.slice(1)).toMatchObject([{ changed: [{ transferId: 7 }], removed: [8], orders: [] }]);
});
