import { parentPort, workerData } from 'node:worker_threads';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { ItemSpool } from './item-spool.ts';
import { readItems } from './read-items.ts';
import type { FileFacts } from './readers/item-reader.ts';
import { writeItems, type WriteOrder, type WrittenFile } from './write-items.ts';

/** What the thread is for. */
export type ExchangeJob =
  | { kind: 'write'; order: Omit<WriteOrder, 'asOf'> }
  | { kind: 'read'; path: string; spoolPath: string; collectionId: string };

/**
 * To the thread: items to write, the end of them with as of when they are, a wish for more that were read, or that nobody
 * wants any of it.
 */
export type ExchangeOrder =
  { items: readonly IdentifiedItem[] } | { asOf: string | null } | 'more' | 'cancel';

/** From the thread. `taken` and `items` are answers to an order; `count` tells how far it is meanwhile. */
export type ExchangeReply =
  | 'taken'
  | { count: number }
  | { written: WrittenFile }
  | { items: readonly IdentifiedItem[]; facts: FileFacts }
  | { read: FileFacts }
  | { error: ErrorData };

const orders: ExchangeOrder[] = [];
let onOrder: (() => void) | null = null;

parentPort?.on('message', (order: ExchangeOrder) => {
  orders.push(order);
  onOrder?.();
});

const job = workerData as ExchangeJob;
try {
  if (job.kind === 'write') reply({ written: await write(job.order) });
  else reply({ read: await read(job) });
} catch (thrown) {
  reply({ error: toAppError(thrown).toData() });
}
parentPort?.close();

function write(order: Omit<WriteOrder, 'asOf'>): Promise<WrittenFile> {
  let asOf: string | null = null;
  async function* itemsToWrite(): AsyncGenerator<readonly IdentifiedItem[]> {
    for (;;) {
      const next = await nextOrder();
      if (typeof next !== 'object') continue;
      if ('asOf' in next) {
        asOf = next.asOf;
        return;
      }
      yield next.items;
      reply('taken');
    }
  }
  return writeItems(itemsToWrite(), { ...order, asOf: () => asOf }, createCounter());
}

// All of the file is checked before any of it is given on: a file that is refused has changed nothing.
async function read({ path, spoolPath, collectionId }: ExchangeJob & { kind: 'read' }): Promise<FileFacts> {
  const facts: FileFacts = { format: null, asOf: null };
  const count = createCounter();
  const spool = await ItemSpool.begin(spoolPath);
  try {
    for await (const items of readItems(path, { collectionId, facts })) {
      await spool.add(items);
      count(items.length);
    }
    for await (const items of spool.batches()) {
      await nextOrder();
      reply({ items, facts });
    }
    await nextOrder();
    return facts;
  } finally {
    await spool.discard();
  }
}

async function nextOrder(): Promise<ExchangeOrder> {
  while (orders.length === 0) await new Promise<void>((resolve) => (onOrder = resolve));
  const order = orders.shift() ?? 'cancel';
  if (order === 'cancel') throw new DOMException('Nobody waits any more', 'AbortError');
  return order;
}

function createCounter(): (itemCount: number) => void {
  let count = 0;
  let toldMs = 0;
  return (itemCount) => {
    count += itemCount;
    if (performance.now() - toldMs < 100) return;
    toldMs = performance.now();
    reply({ count });
  };
}

function reply(message: ExchangeReply): void {
  parentPort?.postMessage(message);
}
