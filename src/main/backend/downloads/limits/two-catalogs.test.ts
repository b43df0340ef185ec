import { expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const test = useDownloads(makeBytes(100_000));
const ref = { collectionId: 's2', itemId: 'scene' };
const refused = new AppError('network.offline', 'The server refuses the connection', {
  details: { host: 'dead.example', reason: 'ECONNREFUSED' },
  retryable: true,
});

async function orderFromBoth(reachable: readonly string[]): Promise<void> {
  test.open(
    { B03: test.asset('B03.bin'), B04: test.asset('B04.bin') },
    { probe: (id) => Promise.resolve(reachable.includes(id)) },
  );
  const resolveAlive = test.harness.resolveLink;
  let isDeadAsked = false;
  test.harness.resolveLink = (asset, wish) => {
    if (asset.assetKey === 'B04') return resolveAlive(asset, wish);
    isDeadAsked = true;
    return Promise.reject(refused);
  };
  const { downloads, destination } = test.harness;
  await downloads.pauseQueue();
  for (const [connectionId, key] of [
    ['dead', 'B03'],
    ['alive', 'B04'],
  ] as const)
    await downloads.start({ connectionId, ref, assetKeys: [key], destination, links: 'auto' });
  const alive = downloads.transfers().at(-1)?.transferId ?? 0;
  await downloads.pause(alive);
  downloads.resumeQueue();
  // The dead one is found out before anything flows from the other.
  await poll(() => (isDeadAsked && downloads.transfers()[0]?.state !== 'preparing') || undefined);
  await poll(() => reachable.length > 0 || downloads.status().hold !== null || undefined);
  await downloads.resume(alive);
}

it('brings files of one catalog while the server of another is away', async () => {
  await orderFromBoth(['alive']);
  const { downloads } = test.harness;
  await poll(() => downloads.transfers().some(({ state }) => state === 'done') || undefined);
  expect(downloads.status().hold).toBeNull();
  expect(downloads.status().counts).toMatchObject({ waiting: 1, done: 1 });
});

it('holds all where no catalog can be reached', async () => {
  await orderFromBoth([]);
  expect(test.harness.downloads.status().hold?.error.code).toBe('network.offline');
});
