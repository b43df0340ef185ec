import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OrderedItem } from '../downloads.ts';
import { linkTo, makeBytes, poll } from '../testing/download-harness.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(1000);
const test = useDownloads(bytes);
const busyCount = 1500;
let other: FaultServer;

const transfersOf = (collectionId: string) =>
  test.harness.downloads.transfers().filter((one) => one.collectionId === collectionId);
const countOf = (collectionId: string, state: string) =>
  transfersOf(collectionId).filter((one) => one.state === state).length;

async function order(collectionId: string, itemCount: number): Promise<void> {
  const { downloads, destination, item } = test.harness;
  const items = Array.from({ length: itemCount }, (_, index): OrderedItem => {
    const id = `${collectionId}-${index}`;
    return { ref: { collectionId, itemId: id }, item: { ...item, id }, wanted: ['B04'] };
  });
  const what = { title: 'Fields', origin: { kind: 'selection' }, priority: 'normal', links: 'auto' } as const;
  await downloads.order({ connectionId: 'test', destination, ...what, items, itemCount });
}

beforeEach(async () => {
  other = await startFaultServer(bytes);
  test.open({ B04: test.asset('B04.bin') });
  test.harness.resolveLink = ({ collectionId, assetKey }) => {
    const { origin } = collectionId === 'other' ? other : test.server;
    return Promise.resolve(linkTo({ B04: { href: `${origin}/${collectionId}.bin` } }, assetKey));
  };
});

afterEach(() => other.close());

it('brings the files of other hosts, however many of a busy one are ahead of them', async () => {
  test.server.script = () => ({ status: 503, headers: { 'retry-after': '600' }, body: '' });
  await order('busy', busyCount);
  await poll(() => (countOf('busy', 'waiting') === 3 ? true : undefined));
  const askedCount = test.server.requests.length;
  await order('other', 5);
  await poll(() => (countOf('other', 'done') === 5 ? true : undefined));
  expect(test.server.requests).toHaveLength(askedCount);
  expect(countOf('busy', 'queued')).toBe(busyCount - 3);
  test.server.script = () => undefined;
  test.harness.time.advance(600_000);
  await poll(() => (countOf('busy', 'done') >= 3 ? true : undefined));
});

it('brings the files of other hosts while one that was begun waits for its busy host', async () => {
  test.server.script = () => ({ stallAfterBytes: 500 });
  await order('begun', 1);
  await poll(() => ((transfersOf('begun')[0]?.receivedBytes ?? 0) === 500 ? true : undefined));
  const begunId = transfersOf('begun')[0]?.transferId ?? 0;
  await test.harness.downloads.pause(begunId);
  // From now on only the file itself knows where its collection is had from.
  await test.harness.restart({ maxConcurrentTransfers: 1 });
  test.server.script = () => ({ status: 503, headers: { 'retry-after': '600' }, body: '' });
  await order('busy', 1);
  await poll(() => (countOf('busy', 'waiting') === 1 ? true : undefined));
  const askedCount = test.server.requests.length;
  await test.harness.downloads.resume(begunId);
  await order('other', 2);
  await poll(() => (countOf('other', 'done') === 2 ? true : undefined));
  expect(test.server.requests).toHaveLength(askedCount);
  expect(countOf('begun', 'queued')).toBe(1);
});
