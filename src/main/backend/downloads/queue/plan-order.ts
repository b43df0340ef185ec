import { stat, statfs } from 'node:fs/promises';
import { maxProblemsTold, type OrderPlan } from '#shared/transfer/download-order.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import { reserveBytes } from '../file/volumes.ts';
import type { OrderContent } from './order-content.ts';
import type { OrderStore } from './order-store.ts';

/** Adds up what an order would bring. */
export async function planOrder(
  orders: Pick<OrderStore, 'promised'>,
  destination: string,
  contents: AsyncIterable<Pick<OrderContent, 'files' | 'problems'>>,
): Promise<OrderPlan> {
  const plan: Omit<OrderPlan, 'space'> = {
    itemCount: 0,
    fileCount: 0,
    knownBytes: 0,
    unknownCount: 0,
    thereCount: 0,
    thereBytes: 0,
    queuedCount: 0,
    problemCount: 0,
    problems: [],
  };
  for await (const { files, problems } of contents) {
    if (files.length > 0) plan.itemCount += 1;
    plan.problemCount += problems.length;
    plan.problems.push(...problems.slice(0, Math.max(0, maxProblemsTold - plan.problems.length)));
    for (const { transfer, queued, there } of files) {
      if (queued && !isOver(queued.state)) plan.queuedCount += 1;
      else if (there) {
        plan.thereCount += 1;
        plan.thereBytes += there.sizeBytes;
      } else {
        plan.fileCount += 1;
        plan.knownBytes += transfer.announcedBytes ?? 0;
        if (transfer.announcedBytes === null) plan.unknownCount += 1;
      }
    }
  }
  return { ...plan, space: await measureSpace(orders, destination, plan.knownBytes) };
}

// What is taken over of these is begun again, as if it were new.
function isOver(state: TransferState): boolean {
  return state === 'failed' || state === 'cancelled';
}

async function measureSpace(
  orders: Pick<OrderStore, 'promised'>,
  destination: string,
  wantedBytes: number,
): Promise<OrderPlan['space']> {
  const { dev } = await stat(destination);
  const space = await statfs(destination).catch(() => null);
  if (space === null) return null;
  const freeBytes = space.bavail * space.bsize;
  let promisedBytes = 0;
  let promisedUnknownCount = 0;
  for (const promise of orders.promised()) {
    const other = await stat(promise.destination).catch(() => null);
    if (other?.dev !== dev) continue;
    promisedBytes += promise.bytes;
    promisedUnknownCount += promise.unknownCount;
  }
  // As the queue will see it, which leaves some free for others.
  const leftBytes = freeBytes - promisedBytes - wantedBytes - reserveBytes;
  return { freeBytes, promisedBytes, promisedUnknownCount, leftBytes };
}
