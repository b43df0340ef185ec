import { rm, truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { StacItem } from '#shared/stac/item.ts';
import type { OrderedItem, TransferChanges } from '../downloads.ts';
import { checksumOf, makeBytes, poll } from '../testing/download-harness.ts';
import { useSceneOrders } from './testing/use-scene-orders.ts';

const { bytes, test, downloads, toOrder, manyItems, placeOrder, untilDone } = useSceneOrders();
const names = () =>
  downloads()
    .transfers()
    .map(({ itemId }) => itemId.replace('scene-', ''));
const idOf = (name: string) =>
  downloads()
    .transfers()
    .find(({ itemId }) => itemId === `scene-${name}`)?.transferId ?? 0;

describe('an order of many items', () => {
  it('says of each file whether the own AWS credentials may be used, where it says so', async () => {
    await downloads().order({ ...toOrder(manyItems(1), 1), s3Access: 'requester-pays' });
    const other = manyItems(2);
    other.next();
    await downloads().order(toOrder(other, 1));
    downloads().resumeQueue();
    await untilDone();
    const asked = new Map(test.harness.resolved.map(([{ itemId }, wish]) => [itemId, wish]));
    expect(asked.get('scene-0')).toMatchObject({ s3Access: 'requester-pays' });
    expect(asked.get('scene-1')).not.toHaveProperty('s3Access');
  });

  it('is planned, queued as one, and brought home', async () => {
    const plan = await downloads().plan(toOrder(manyItems(3, ['B04', 'folder']), 3));
    expect(plan).toMatchObject({
      itemCount: 3,
      fileCount: 3,
      knownBytes: 600_000,
      unknownCount: 0,
      problemCount: 3,
    });
    expect(plan.problems[0]?.error).toMatchObject({ code: 'link.none', details: { reason: 'directory' } });
    const { downloadId, fileCount, isQueued } = await placeOrder(3, ['B04', 'folder']);
    expect({ fileCount, isQueued }).toEqual({ fileCount: 3, isQueued: true });
    const next = await downloads().plan(toOrder(manyItems(4), 4));
    expect(next).toMatchObject({ fileCount: 1, queuedCount: 3, space: { promisedBytes: 600_000 } });
    downloads().resumeQueue();
    const transfers = await test.harness.finish(downloadId ?? 0);
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await downloads().plan(toOrder(manyItems(4), 4))).toMatchObject({ fileCount: 1, thereCount: 3 });
    expect(await placeOrder(4)).toMatchObject({ fileCount: 1, thereCount: 3 });
    expect(downloads().orders()).toMatchObject([{ title: 'Fields', origin: { kind: 'selection' } }, {}]);
  });

  it('has the rate of a file that comes when it takes it over', async () => {
    test.server.script = () => ({ stallAfterBytes: 100_000 });
    await placeOrder(1);
    downloads().resumeQueue();
    await poll(() => downloads().status().flows[0]?.bytesPerSecond || undefined);
    const { downloadId } = await placeOrder(2);
    const flowing = downloads()
      .status()
      .flows.map((flow) => flow.downloadId);
    expect(flowing).toContain(downloadId);
    expect(new Set(flowing).size, 'of the first order nothing comes any more').toBe(1);
  });

  it('plans what was cancelled or has failed as what is to be fetched', async () => {
    await placeOrder(3);
    await downloads().cancel({ transferIds: [idOf('1')] });
    const plan = await downloads().plan(toOrder(manyItems(3), 3));
    expect(plan).toMatchObject({ fileCount: 1, knownBytes: 200_000, queuedCount: 2 });
  });

  it('takes no file for one that the catalog has replaced since', async () => {
    await placeOrder(3);
    downloads().resumeQueue();
    await untilDone();
    const replaced = (announced: object): OrderedItem[] =>
      [...manyItems(3)].map(({ item, ...one }) => {
        const asset = { ...(item?.assets as Record<string, object>)['B04'], ...announced };
        return { ...one, item: { ...item, assets: { B04: asset } } as StacItem };
      });
    const plan = (announced: object) => downloads().plan(toOrder(replaced(announced), 3));
    expect(await plan({})).toMatchObject({ fileCount: 0, thereCount: 3 });
    // The same file, told in other words: its bytes are not fetched, but looked at.
    expect(await plan({ 'file:checksum': undefined })).toMatchObject({ fileCount: 0, thereCount: 3 });
    const elsewhere = { 'file:checksum': undefined, href: 'https://other.example/B04.tif' };
    expect(await plan(elsewhere)).toMatchObject({ fileCount: 3, thereCount: 0 });
    const others = [
      { 'file:size': bytes.length + 1 },
      { 'file:checksum': checksumOf(makeBytes(200_000, 2)) },
    ];
    for (const announced of others)
      expect(await plan(announced)).toMatchObject({ fileCount: 3, thereCount: 0 });
  });

  it('sees what was brought and cleared off the list since, and what has changed of it', async () => {
    const { downloadId } = await placeOrder(3);
    downloads().resumeQueue();
    const [first, second] = await test.harness.finish(downloadId ?? 0);
    await downloads().remove({});
    expect(downloads().transfers()).toEqual([]);
    const plan = () => downloads().plan(toOrder(manyItems(4), 4));
    expect(await plan()).toMatchObject({ fileCount: 1, thereCount: 3, thereBytes: 600_000 });
    await truncate(first?.filePath ?? '', 1000);
    await rm(second?.filePath ?? '');
    expect(await plan()).toMatchObject({ fileCount: 3, thereCount: 1 });
    const [{ item, ...one } = {}] = [...manyItems(3)].slice(2);
    const asset = (item?.assets as Record<string, object>)['B04'];
    const replaced = { ...asset, 'file:checksum': checksumOf(makeBytes(200_000, 2)) };
    const order = [{ ...one, item: { ...item, assets: { B04: replaced } } }] as OrderedItem[];
    expect(await downloads().plan(toOrder(order, 1))).toMatchObject({ fileCount: 1, thereCount: 0 });
  });

  it('leaves nothing behind when it is given up, or an item of it breaks it off', async () => {
    const controller = new AbortController();
    async function* slowly(): AsyncGenerator<OrderedItem> {
      for (const one of manyItems(200)) {
        if (one.ref.itemId === 'scene-150') controller.abort();
        await Promise.resolve();
        yield one;
      }
    }
    const { signal } = controller;
    await expect(downloads().order(toOrder(slowly(), 200), { signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect(placeOrder(10_001)).rejects.toMatchObject({ code: 'input.too-large' });
    expect(downloads().transfers()).toEqual([]);
    expect(downloads().orders()).toEqual([]);
  });

  it('of 10,000 files is queued whole, told in pieces, and opened again', async () => {
    await placeOrder(10_000);
    expect(downloads().status()).toMatchObject({ counts: { queued: 10_000 }, leftBytes: 2_000_000_000 });
    await downloads().close();
    await test.harness.restart();
    const pieces: TransferChanges[] = [];
    downloads().watch((changes) => pieces.push(changes));
    await poll(() => {
      test.harness.time.advance(10);
      return pieces.at(-1)?.isComplete ? true : undefined;
    });
    const told = pieces.flatMap(({ changed }) => changed.map(({ itemId }) => itemId));
    expect(told).toHaveLength(10_000);
    expect(told.slice(0, 2)).toEqual(['scene-0', 'scene-1']);
    expect(Math.max(...pieces.map(({ changed }) => changed.length))).toBeLessThanOrEqual(500);
  }, 60_000);
});

describe('an order with a key', () => {
  const askKey = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const order = (key: string) => downloads().order(toOrder(manyItems(3), 3), { askKey: key });

  it('is placed once, however often it is asked for, through restarts, and after it was removed', async () => {
    const first = await order(askKey);
    expect(first).toMatchObject({ fileCount: 3, isQueued: true });
    expect(await order(askKey)).toEqual(first);
    await test.harness.restart();
    expect(await order(askKey)).toEqual(first);
    expect(downloads().transfers()).toHaveLength(3);
    await downloads().cancel({});
    await downloads().remove({});
    expect(await order(askKey)).toEqual(first);
    expect(downloads().orders()).toEqual([]);
    expect((await order('7c9e6679-7425-40de-944b-e07fc1f90ae7')).downloadId).not.toBe(first.downloadId);
    expect(downloads().transfers()).toHaveLength(3);
  });

  it('that was given up is placed the next time', async () => {
    const signal = AbortSignal.abort();
    await expect(downloads().order(toOrder(manyItems(3), 3), { askKey, signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await order(askKey);
    expect(downloads().transfers()).toHaveLength(3);
  });
});

describe('the queue in a person’s hands', () => {
  it('keeps an order of its own through restarts', async () => {
    await placeOrder(5);
    await downloads().move([idOf('3'), idOf('4')], 'top');
    expect(names()).toEqual(['3', '4', '0', '1', '2']);
    await downloads().move([idOf('3')], { after: idOf('1') });
    await downloads().move([idOf('2')], { before: idOf('4') });
    expect(names()).toEqual(['2', '4', '0', '1', '3']);
    await downloads().prioritise({ transferIds: [idOf('1')] }, 'high');
    await downloads().prioritise({ transferIds: [idOf('4')] }, 'low');
    await test.harness.restart();
    expect(names()).toEqual(['1', '2', '0', '3', '4']);
    for (let turn = 0; turn < 60; turn += 1)
      await downloads().move([idOf(turn % 2 ? '0' : '3')], { after: idOf('2') });
    expect(names()).toEqual(['1', '2', '0', '3', '4']);
  });

  it('stops as a whole, through a restart, until it may go on', async () => {
    const { downloadId } = await placeOrder(3);
    await test.harness.restart();
    expect(downloads().status()).toMatchObject({ isPaused: true, counts: { queued: 3 } });
    expect(test.server.requests).toHaveLength(0);
    downloads().resumeQueue();
    await test.harness.finish(downloadId ?? 0);
    expect(downloads().status().counts.done).toBe(3);
  });

  it('counts what is paused to what is to come only when it goes on', async () => {
    await placeOrder(3);
    await downloads().pause(idOf('1'));
    expect(downloads().status()).toMatchObject({ counts: { queued: 2, paused: 1 }, leftBytes: 400_000 });
    await downloads().pause({ states: ['queued'] });
    expect(downloads().status()).toMatchObject({ counts: { paused: 3 }, leftBytes: 0, unknownCount: 0 });
    await downloads().resume({});
    expect(downloads().status()).toMatchObject({ counts: { queued: 3 }, leftBytes: 600_000 });
  });

  it('starts one now in the place of another, and kills none for a mere priority', async () => {
    await downloads().close();
    await test.harness.restart({ maxConcurrentTransfers: 1 });
    test.server.script = () => ({ stallAfterBytes: 100_000 });
    await placeOrder(3);
    downloads().resumeQueue();
    const stateOf = (name: string) => downloads().transfer(idOf(name)).state;
    await poll(() => stateOf('0') === 'downloading' || undefined);
    await downloads().prioritise({ transferIds: [idOf('1')] }, 'high');
    expect(stateOf('0')).toBe('downloading');
    await downloads().startNow([idOf('2')]);
    await poll(() => stateOf('2') === 'downloading' || undefined);
    expect([stateOf('0'), stateOf('1')]).toEqual(['queued', 'queued']);
  });

  it('takes a cancelling back as it was, for a while', async () => {
    await placeOrder(3);
    await downloads().pause(idOf('1'));
    const { cancelId, count } = await downloads().cancel({ states: ['queued', 'paused'] });
    expect(count).toBe(3);
    expect(downloads().status().counts.cancelled).toBe(3);
    expect((await downloads().undoCancel(cancelId)).count).toBe(3);
    expect(downloads().status().counts).toMatchObject({ queued: 2, paused: 1, cancelled: 0 });
    const again = await downloads().cancel({});
    test.harness.time.advance(31_000);
    expect((await downloads().undoCancel(again.cancelId)).count).toBe(0);
    expect(
      downloads()
        .transfers()
        .map(({ undoUntil }) => undoUntil),
    ).toEqual([null, null, null]);
  });

  it('tries what failed again, all at once', async () => {
    test.server.script = () => ({ status: 404 });
    const { downloadId } = await placeOrder(3);
    downloads().resumeQueue();
    await test.harness.finish(downloadId ?? 0);
    expect(downloads().status().counts.failed).toBe(3);
    expect(downloads().report(downloadId).failed).toHaveLength(3);
    test.server.script = () => undefined;
    expect((await downloads().resume({ states: ['failed'] })).count).toBe(3);
    await test.harness.finish(downloadId ?? 0);
    expect(downloads().status().counts.done).toBe(3);
  });

  it('remembers what came after it was cleared, and finds it by words', async () => {
    const { downloadId } = await placeOrder(12);
    downloads().resumeQueue();
    await test.harness.finish(downloadId ?? 0);
    expect((await downloads().remove({ states: ['done'] })).count).toBe(12);
    expect(downloads().transfers()).toEqual([]);
    const page = downloads().history({ text: 'scene-1 b04', offset: 0, limit: 2 });
    expect(page.totalCount).toBe(3);
    expect(page.entries).toMatchObject([{ transferId: null, title: 'Fields', verification: 'checksum' }, {}]);
    expect(downloads().history({ text: '100%', offset: 0, limit: 2 }).totalCount).toBe(0);
    expect(downloads().report(downloadId)).toMatchObject({
      title: 'Fields',
      verified: { count: 12, bytes: 2_400_000 },
    });
    expect(downloads().clearHistory()).toEqual({ count: 12 });
    expect(downloads().history({ text: '', offset: 0, limit: 9 })).toEqual({ entries: [], totalCount: 0 });
  });

  it('knows what was brought of an Item, and whether it is still there', async () => {
    const { downloadId } = await placeOrder(2, ['B02', 'B03', 'B04']);
    downloads().resumeQueue();
    await test.harness.finish(downloadId ?? 0);
    await downloads().remove({ states: ['done'] });
    const ref = { collectionId: 's2', itemId: 'scene-0' };
    const brought = await downloads().brought('test', ref);
    const isThere = (files: typeof brought) =>
      Object.fromEntries(files.map((file) => [file.assetKey, file.isThere]));
    expect(isThere(brought)).toEqual({ B02: true, B03: true, B04: true });
    expect(brought[0]).toMatchObject({ sizeBytes: bytes.length, verification: 'checksum' });
    const pathOf = (key: string) => brought.find(({ assetKey }) => assetKey === key)?.filePath ?? '';
    await rm(pathOf('B02'));
    await truncate(pathOf('B03'), 10);
    expect(isThere(await downloads().brought('test', ref))).toEqual({ B02: false, B03: false, B04: true });
    await placeOrder(1, ['B02']);
    await untilDone();
    expect(isThere(await downloads().brought('test', ref))).toEqual({ B02: true, B03: false, B04: true });
    const refs = [ref, { ...ref, itemId: 'scene-1' }, { ...ref, itemId: 'scene-2' }];
    const keys = ['B02', 'B03', 'B04'];
    expect(downloads().broughtAssets('test', refs)).toEqual([keys, keys, []]);
    expect(downloads().broughtAssets('other', refs)).toEqual([[], [], []]);
  });
});
