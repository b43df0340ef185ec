import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { OrderedItem, TransferChanges } from '../downloads.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { checksumOf, createHarness, makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';
import { openQueue } from './queue-file.ts';
import { takeCrashImage } from './testing/crash-image.ts';

const test = useDownloads(makeBytes(1000));
const itemCount = 1500;
const askKey = '0f8fad5b-d9cb-469f-a165-70867728950e';
const downloads = () => test.harness.downloads;

function* items(): Generator<OrderedItem> {
  for (let index = 0; index < itemCount; index += 1) {
    const id = `scene-${index}`;
    const assets = { B04: { href: `${test.server.origin}/${id}.bin` }, all: { href: 's3://bucket/tiles/' } };
    // One of ten can't be had, and has failed from the beginning.
    const wanted = index % 10 === 0 ? ['all'] : ['B04'];
    yield { ref: { collectionId: 's2', itemId: id }, item: { id, collection: 's2', assets }, wanted };
  }
}

/** Some thousand transfers that are queued, paused, cancelled and failed, by turns, in a queue that is stopped. */
async function fill(): Promise<{ ids: number[]; odd: number[]; cancelId: number }> {
  await downloads().order({
    connectionId: 'test',
    destination: test.harness.destination,
    ...({ title: 'Fields', origin: { kind: 'selection' }, priority: 'normal', links: 'auto' } as const),
    items: items(),
    itemCount,
  });
  const ids = downloads()
    .transfers()
    .map(({ transferId }) => transferId);
  const every = (count: number, first = 0) => ids.filter((_, index) => index % count === first);
  await downloads().pause({ transferIds: every(5, 1) });
  const { cancelId } = await downloads().cancel({ transferIds: every(3, 2) });
  return { ids, odd: every(2, 1), cancelId };
}

/** The queue as somebody sees it, in a text. */
function toText(transfers: Iterable<Transfer>, orders: readonly DownloadOrderView[]): string {
  const rows = [...transfers].map(({ transferId, state, priority, position, downloadId }) =>
    [transferId, state, priority, position, downloadId].join(' '),
  );
  return [
    ...rows.sort(),
    ...orders.map(({ downloadId, destination }) => `${downloadId} ${destination}`),
  ].join('\n');
}

/** What a killed program would have left, at one turn of the event loop: transfers, and the answer to who asked by a key. */
function readImage(imagePath: string): string {
  const queue = openQueue(imagePath);
  const rows = queue.transfers.rows().map((row) => {
    const { transferId, state, priority, position, downloadId, destination, cancelId, stateBefore } = row;
    return [transferId, state, priority, position, downloadId, destination, cancelId, stateBefore];
  });
  const answer = queue.answers.find(askKey);
  queue.close();
  rmSync(dirname(imagePath), { recursive: true });
  return JSON.stringify({ rows, answer });
}

/** Follows the queue as the window does; gives all that it was ever told as a whole. */
function follow(): { seen: string[]; stop: () => void } {
  const seen: string[] = [];
  const transfers = new Map<number, Transfer>();
  let orders: readonly DownloadOrderView[] = [];
  const listen = (changes: TransferChanges) => {
    for (const one of changes.changed) transfers.set(one.transferId, one);
    for (const transferId of changes.removed) transfers.delete(transferId);
    orders = changes.orders ?? orders;
    if (changes.isComplete) seen.push(toText(transfers.values(), orders));
  };
  return { seen, stop: downloads().watch(listen) };
}

const now = () => toText(downloads().transfers(), downloads().orders());

beforeEach(async () => {
  test.open({});
  await downloads().pauseQueue();
});

interface Filled {
  ids: number[];
  odd: number[];
  cancelId: number;
  other: string;
}

const actions: [string, (filled: Filled) => Promise<unknown>][] = [
  ['paused', () => downloads().pause({}, askKey)],
  ['resumed', () => downloads().resume({ states: ['paused', 'failed', 'cancelled'] }, askKey)],
  ['moved', ({ odd }) => downloads().move(odd, 'top')],
  ['moved where there is no room', ({ ids, odd }) => downloads().move(odd.slice(1), { after: ids[0] ?? 0 })],
  ['given another priority', ({ odd }) => downloads().prioritise({ transferIds: odd }, 'low', askKey)],
  ['cancelled', () => downloads().cancel({}, askKey)],
  ['taken back', ({ cancelId }) => downloads().undoCancel(cancelId, askKey)],
  ['sent to another folder', ({ odd, other }) => downloads().sendTo({ transferIds: odd }, other)],
  ['all sent to another folder', ({ other }) => downloads().sendTo({}, other)],
  ['removed', () => downloads().remove({ states: ['cancelled', 'failed'] }, askKey)],
];

describe('thousands of transfers', () => {
  it.each(actions)(
    'are all %s or none, whatever happens, and for whoever looks',
    async (_, act) => {
      const filled = { ...(await fill()), other: join(test.harness.folder, 'other') };
      mkdirSync(filled.other);
      const { folder, time } = test.harness;
      const filePath = join(folder, 'transfers.sqlite');
      const images = [takeCrashImage(filePath, folder)];
      const { seen, stop } = follow();
      time.advance(5000);
      const before = now();
      let isOver = false;
      const turn = () => {
        images.push(takeCrashImage(filePath, folder));
        time.advance(30);
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await act(filled).finally(() => (isOver = true));
      images.push(takeCrashImage(filePath, folder));
      time.advance(5000);
      stop();
      const after = now();

      const states = images.map(readImage);
      const [first, last] = [states[0], states.at(-1)];
      expect(first).not.toBe(last);
      expect(states.filter((one) => one !== first && one !== last)).toEqual([]);
      expect(seen.at(-1)).toBe(after);
      expect(seen[0]).toBe(before);
      expect(seen.filter((one) => one !== before && one !== after)).toEqual([]);
    },
    60_000,
  );
});

it('has part files deleted by the next start, of what was removed right before the end', async () => {
  const bytes = makeBytes(400_000);
  await test.harness.close();
  test.server.file = bytes;
  let letGo = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (letGo = resolve));
  const disk: Disk = {
    ...systemDisk,
    async unlink(path) {
      if (path.endsWith('.part')) await isHeld;
      return systemDisk.unlink(path);
    },
  };
  test.open(
    { B04: test.asset('B04.bin', { sizeBytes: bytes.length, checksum: checksumOf(bytes) }) },
    { disk },
  );
  test.server.script = () => ({ stallAfterBytes: 200_000 });
  const { folder, start, until, files, time } = test.harness;
  const { transferId } = await until(await start(['B04']), ({ receivedBytes }) => receivedBytes > 0);
  await downloads().cancel(transferId);
  const removing = downloads().remove(transferId);
  await poll(() => downloads().transfers().length === 0 || undefined);
  const isLeft = () => files().some((path) => path.endsWith('.part'));
  expect(isLeft()).toBe(true);
  const imagePath = takeCrashImage(join(folder, 'transfers.sqlite'), folder);
  const next = createHarness({}, { filePath: imagePath }, time);
  await poll(() => !isLeft() || undefined);
  await next.close();
  letGo();
  await removing;
}, 60_000);
