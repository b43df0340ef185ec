import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createHarness, makeBytes } from '../testing/download-harness.ts';
import { filesIn, partOf } from '../testing/files-in.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(1_500_000);
const filePath = 's2/2024/scene/B04.bin';
const test = useDownloads(bytes);

/** Brings a part of the file, and stops. */
async function pauseHalfWay() {
  test.open({ B04: test.asset('B04.bin') });
  test.server.script = (index) => (index === 0 ? { stallAfterBytes: 700_000 } : undefined);
  const paused = await test.harness.pauseAt(700_000);
  return { ...paused, part: partOf(join(test.harness.destination, filePath)) };
}

it('an empty part file of another queue, whose transfer has the same number, is left alone', async () => {
  test.open({ B04: test.asset('B04.bin') });
  const other = join(test.harness.destination, `${filePath}.1.part`);
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, '');
  expect(await test.harness.finish(await test.harness.start(['B04']))).toMatchObject([{ state: 'done' }]);
  expect(readFileSync(other)).toHaveLength(0);
  expect(test.harness.read(filePath).equals(bytes)).toBe(true);
});

it('two queues that fetch one file into one folder write to two part files', async () => {
  const { part, transferId } = await pauseHalfWay();
  const other = createHarness({ B04: test.asset('B04.bin') });
  onTestFinished(() => other.close());
  const { destination } = test.harness;
  // As long as the first has written nothing, all that tells them apart is their names.
  truncateSync(part, 0);
  const ref = { collectionId: 's2', itemId: 'scene' };
  const order = { connectionId: 'test', ref, assetKeys: ['B04'], destination, links: 'auto' as const };
  const { downloadId } = await other.downloads.start(order);
  expect(await other.finish(downloadId)).toMatchObject([{ transferId, state: 'done' }]);
  expect(readFileSync(part)).toHaveLength(0);
  expect(readFileSync(join(destination, filePath)).equals(bytes)).toBe(true);
});

it('an empty part file that a crash has left of making it is taken up again', async () => {
  const { downloadId, transferId, part } = await pauseHalfWay();
  await test.harness.downloads.close();
  truncateSync(part, 0);
  const database = new Database(join(test.harness.folder, 'transfers.sqlite'));
  database.exec('UPDATE transfer SET part_path = NULL, durable_bytes = 0, etag = NULL, total_bytes = NULL');
  database.close();
  await test.harness.restart();
  await test.harness.downloads.resume(transferId);
  expect(await test.harness.finish(downloadId)).toMatchObject([{ state: 'done' }]);
  expect(filesIn(test.harness.destination).map((path) => basename(path))).not.toContain(basename(part));
});

it('a part file that was named before queues were told apart goes on', async () => {
  const { downloadId, transferId, part } = await pauseHalfWay();
  await test.harness.downloads.close();
  const old = join(test.harness.destination, `${filePath}.${transferId}.part`);
  writeFileSync(old, readFileSync(part));
  truncateSync(part, 0);
  const database = new Database(join(test.harness.folder, 'transfers.sqlite'));
  database.prepare('UPDATE transfer SET part_path = ?').run(old);
  database.close();
  await test.harness.restart();
  await test.harness.downloads.resume(transferId);
  expect(await test.harness.finish(downloadId)).toMatchObject([{ state: 'done' }]);
  expect(test.server.requests[1]?.headers.range).toMatch(/^bytes=[1-9]\d*-/);
  expect(filesIn(test.harness.destination).map((path) => basename(path))).not.toContain(basename(old));
});
