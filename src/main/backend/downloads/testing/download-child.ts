import { createHttpClient } from '../../http/create-http-client.ts';
import { silentLogger, type Clock, type Logger } from '../../ports.ts';
import { createDownloads } from '../create-downloads.ts';
import { systemDisk } from '../file/disk.ts';
import { createDeadlyDisk, type Death } from '../file/testing/deadly-disk.ts';
import type { PartSizes } from '../file/part-file.ts';
import { systemTimers, type Timers } from '../tasks/timers.ts';
import { linkTo, type TestAsset } from './download-harness.ts';

/** What the child process is told on its command line, as JSON. */
export interface ChildOrder {
  filePath: string;
  destination: string;
  assets: Record<string, TestAsset>;
  /** How many times as fast time passes for the queue. */
  hurry: number;
  slots: number;
  partSizes?: Partial<PartSizes>;
  death?: Death;
  /** Left out: what failed before is tried again. Being killed again and again makes a transfer suspect. */
  isContent?: boolean;
}

// A queue in a process of its own, to be killed. It orders all assets, unless the queue knows of an order there already,
// and tells what became of them when all are settled.
const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const { filePath, destination, assets, hurry, slots, partSizes, death, isContent = false } = order;
const ref = { collectionId: 's2', itemId: 'scene' };
const startMs = Date.now();
const clock: Clock = { now: () => Math.round(startMs + performance.now() * hurry) };
const timers: Timers = {
  elapsedMs: () => performance.now() * hurry,
  after: (delayMs, callback) => systemTimers.after(delayMs / hurry, callback),
};
const tell = (event: string) => void process.stdout.write(`${event}\n`);
const logger: Logger = { ...silentLogger, error: tell };
const listed = Object.entries(assets).map(([key, { href, sizeBytes, checksum }]) => [
  key,
  { href, 'file:size': sizeBytes, 'file:checksum': checksum },
]);
const downloads = createDownloads({
  filePath,
  http: createHttpClient({ credentials: null, clock, logger: silentLogger }),
  resolveLink: ({ assetKey }) => Promise.resolve(linkTo(assets, assetKey)),
  loadItem: () =>
    Promise.resolve({
      ref,
      item: { id: 'scene', assets: Object.fromEntries(listed) as Record<string, object> },
    }),
  loadCollection: () => Promise.reject(new Error('There is no catalog')),
  clock,
  timers,
  logger,
  appVersion: '9.9.9',
  maxConcurrentTransfers: slots,
  ...(partSizes === undefined ? {} : { partSizes }),
  ...(death === undefined ? {} : { disk: createDeadlyDisk(systemDisk, death) }),
});
tell('open');
downloads.watch(({ queue: { hold } }) => {
  if (hold) tell(`held: ${hold.error.code}`);
});
const known = downloads.orders().find((one) => one.destination === destination)?.downloadId;
const downloadId = known ?? (await orderAll());
tell('queued');
if (!isContent) await downloads.resume({ downloadId, states: ['failed'] });
const transfers = await downloads.waitUntilSettled(downloadId);
await downloads.close();
process.stdout.write(JSON.stringify(transfers));

async function orderAll(): Promise<number> {
  const assetKeys = Object.keys(assets);
  const wanted = { connectionId: 'test', ref, assetKeys, destination, links: 'auto' } as const;
  return (await downloads.start(wanted)).downloadId;
}
