import { expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { useDownloads } from '../testing/use-downloads.ts';
import { createSharedWaits } from './shared-waits.ts';

const test = useDownloads(makeBytes(300_000));

it('all that waits for a server goes on with the first file that it gives something of', async () => {
  const assetKeys = ['B02', 'B03', 'B04', 'B05', 'B06'];
  test.open(Object.fromEntries(assetKeys.map((key) => [key, test.asset(`${key}.bin`)])), {
    probe: () => Promise.resolve(true),
  });
  const { downloads, time } = test.harness;
  await test.server.goDown();
  const downloadId = await test.harness.start(assetKeys);
  const leftMs = () =>
    downloads
      .transfers()
      .map(({ waiting }) => Date.parse(waiting?.resumeAt ?? '1970-01-01') - time.clock.now());
  // Until each has been refused so often that it waits for longer than a moment.
  await poll(() => {
    if (leftMs().every((ms) => ms > 10_000)) return true;
    time.advance(250);
    return undefined;
  });
  time.advance(5000);
  await test.server.comeBack();
  await downloads.resume(downloads.transfers()[0]?.transferId ?? 0);
  // No time passes.
  const transfers = await downloads.waitUntilSettled(downloadId);
  expect(transfers.map(({ state }) => state)).toEqual(assetKeys.map(() => 'done'));
});

it('a server that lets in some and refuses others wakes nobody', () => {
  const { timers, advance } = createManualTime();
  const shared = createSharedWaits(timers);
  const details = { reason: 'ECONNREFUSED', host: 'storage.example' };
  const refusal = new AppError('network.offline', 'refused', { details, retryable: true });
  const row = { destination: '/out', error: refusal.toData() };
  const find = () => shared.findServer('https://storage.example');
  expect(find()).toBeNull();
  shared.note(row, refusal);
  advance(4000);
  expect(find()).toBeNull();
  shared.note(row, refusal);
  advance(4000);
  expect(find()).toBeNull();
  advance(1000);
  expect(shared.findServer('https://other.example')).toBeNull();
  const isMeant = find();
  expect(isMeant?.(row)).toBe(true);
  expect(isMeant?.({ ...row, error: { ...row.error, details: { ...details, host: 'other.example' } } })).toBe(
    false,
  );
  expect(find()).toBeNull();
});
