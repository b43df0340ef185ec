import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderProgress } from '#shared/transfer/download-order.ts';
import type { OrderedItem } from '../downloads.ts';
import { makeBytes } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const test = useDownloads(makeBytes(1000));
const itemCount = 2000;

const downloads = () => test.harness.downloads;
const queuedCount = () => downloads().status().counts.queued;
const ids = () =>
  downloads()
    .transfers()
    .map(({ transferId }) => transferId);

function* items(): Generator<OrderedItem> {
  for (let index = 0; index < itemCount; index += 1) {
    const id = `scene-${index}`;
    const assets = { B04: { href: `${test.server.origin}/${id}.bin` } };
    yield {
      ref: { collectionId: 's2', itemId: id },
      item: { id, collection: 's2', assets },
      wanted: ['B04'],
    };
  }
}

function placeOrder(): Promise<OrderProgress> {
  const { destination } = test.harness;
  const what = { title: 'Fields', origin: { kind: 'selection' }, priority: 'normal', links: 'auto' } as const;
  return downloads().order({ connectionId: 'test', destination, ...what, items: items(), itemCount });
}

/** What there is to be seen at each turn of the event loop while something is done. */
async function seenDuring<Seen>(work: () => Promise<unknown>, look: () => Seen): Promise<Seen[]> {
  const seen: Seen[] = [];
  let isOver = false;
  const turn = () => {
    seen.push(look());
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return seen;
}

beforeEach(async () => {
  test.open({});
  await downloads().pauseQueue();
});

describe('thousands of transfers', () => {
  it('are queued by one step of which nobody sees a part', async () => {
    const seen = await seenDuring(placeOrder, () => ({
      listed: downloads().transfers().length,
      queued: queuedCount(),
      orders: downloads().orders().length,
    }));
    const none = { listed: 0, queued: 0, orders: 0 };
    const all = { listed: itemCount, queued: itemCount, orders: 1 };
    expect(seen.filter(({ listed }) => listed === 0)).not.toEqual([]);
    for (const one of seen) expect(one).toEqual(one.listed === 0 ? none : all);
    expect(queuedCount()).toBe(itemCount);
  }, 60_000);

  it('are taken over by a later order, whose they all are', async () => {
    const { downloadId: first } = await placeOrder();
    const before = ids();
    const seen = await seenDuring(placeOrder, queuedCount);
    expect(new Set(seen)).toEqual(new Set([itemCount]));
    expect(ids()).toEqual(before);
    expect(downloads().orders()).toHaveLength(1);
    expect(downloads().orders()[0]?.downloadId).not.toBe(first);
  }, 60_000);

  it('keep their order and their orders when they are moved, cancelled, taken back and sent elsewhere', async () => {
    await placeOrder();
    const before = ids();
    const odd = before.filter((_, index) => index % 2 === 1);
    const even = before.filter((_, index) => index % 2 === 0);
    const other = join(test.harness.folder, 'other');
    mkdirSync(other);
    await downloads().move(odd, 'top');
    const { cancelId } = await downloads().cancel({});
    await downloads().undoCancel(cancelId);
    await downloads().sendTo({ transferIds: even }, other);
    await downloads().prioritise({ transferIds: odd }, 'low');
    expect(ids()).toEqual([...even, ...odd]);
    expect(queuedCount()).toBe(itemCount);
    expect(downloads().orders()).toMatchObject([
      { title: 'Fields', destination: test.harness.destination },
      { title: 'Fields', destination: other },
    ]);
    const transfers = downloads().transfers();
    expect(new Set(transfers.slice(0, even.length).map(({ downloadId }) => downloadId)).size).toBe(1);
    expect((await downloads().cancel({})).count).toBe(itemCount);
    expect((await downloads().remove({})).count).toBe(itemCount);
    expect(downloads().orders()).toEqual([]);
  }, 60_000);

  it('keep their order when others make room for them', async () => {
    await placeOrder();
    const all = ids();
    const [first = 0, second = 0, ...rest] = all;
    // Each halves the gap that the one before has left.
    for (let turn = 0; turn < 30; turn += 1) {
      const moved = rest[turn] ?? 0;
      await downloads().move([moved], { after: first });
    }
    expect(ids()).toEqual([first, ...rest.slice(0, 30).reverse(), second, ...rest.slice(30)]);
  }, 60_000);
});
