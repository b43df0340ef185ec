import { expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { weekHours } from '#shared/settings/week-schedule.ts';
import { makeBytes } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const test = useDownloads(makeBytes(200_000));
const count = 10_000;
const never = { isOn: true, hours: Array<boolean>(weekHours).fill(false), outsideBytesPerSecond: null };

it('starts a queue of 10,000 at once and gives out slots without reading all of it', async () => {
  const keys = Array.from({ length: 4 }, (_, index) => `B${index}`);
  const assets = Object.fromEntries(keys.map((key) => [key, test.asset(`${key}.bin`)]));
  test.open(assets, { limits: { ...defaultTransferLimits, schedule: never } });
  const { downloads, destination, item } = test.harness;
  await downloads.order({
    connectionId: 'test',
    destination,
    links: 'auto',
    title: 'All of it',
    origin: { kind: 'selection' },
    priority: 'normal',
    itemCount: count / keys.length,
    items: Array.from({ length: count / keys.length }, (_, index) => ({
      ref: { collectionId: 's2', itemId: `scene-${index}` },
      item: { ...item, id: `scene-${index}` },
      wanted: keys,
    })),
  });
  expect(downloads.status().counts.queued).toBe(count);
  const startedMs = performance.now();
  await test.harness.restart();
  expect(performance.now() - startedMs).toBeLessThan(2000);
  const wokenMs = performance.now();
  for (let wake = 0; wake < 100; wake += 1) test.harness.downloads.setMaxConcurrentTransfers(3);
  expect((performance.now() - wokenMs) / 100).toBeLessThan(10);
});
