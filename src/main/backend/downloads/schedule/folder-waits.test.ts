import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const test = useDownloads(makeBytes(300_000));

it('all that waits for a folder goes on with the first file that finds it, whenever the others would look', async () => {
  const assetKeys = ['B02', 'B03', 'B04', 'B05', 'B06'];
  test.open(Object.fromEntries(assetKeys.map((key) => [key, test.asset(`${key}.bin`)])));
  const { downloads, destination, folder } = test.harness;
  const away = `${folder}/away`;
  await downloads.pauseQueue();
  const downloadId = await test.harness.start(assetKeys);
  renameSync(destination, away);
  downloads.resumeQueue();
  const waiting = () => downloads.transfers().filter((one) => one.state === 'waiting');
  await poll(() => waiting().length === assetKeys.length || undefined);
  expect(waiting().map((one) => one.waiting?.error.code)).toEqual(
    assetKeys.map(() => 'transfer.destination-missing'),
  );
  renameSync(away, destination);
  const [first] = waiting();
  await downloads.resume(first?.transferId ?? 0);
  // No time passes.
  const transfers = await downloads.waitUntilSettled(downloadId);
  expect(transfers.map(({ state }) => state)).toEqual(assetKeys.map(() => 'done'));
});
