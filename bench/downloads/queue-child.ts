import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createHttpClient } from '../../src/main/backend/http/create-http-client.ts';
import { trustAuthorities } from '../../src/main/backend/http/network/certificate-authorities.ts';
import { createDownloads } from '../../src/main/backend/downloads/create-downloads.ts';
import { silentLogger, systemClock } from '../../src/main/backend/ports.ts';
import { boundHeaps } from '../../src/main/host/bound-heaps.ts';
import { readPeakBytes } from '../peak-memory.ts';

/** What the queue is to bring, as JSON on its command line. */
export interface QueueTask {
  filePath: string;
  destination: string;
  origin: string;
  authority: string | null;
  fileCount: number;
  atOnce: number;
  sizeBytes: number;
  checksum: string;
}

/** What it took. */
export interface QueueFigures {
  elapsedMs: number;
  cpuMs: number;
  peakBytes: number;
  /** 99th percentile of the event loop's delay. */
  delayMs: number;
}

// Swath's queue as the program has it, in a process of its own. The time is from the order to the last file under its
// name, verified: the program runs already when somebody orders. Begins when it is told to.
boundHeaps();
const task = JSON.parse(process.argv[2] ?? '{}') as QueueTask;
if (task.authority !== null) trustAuthorities([task.authority]);
const ref = { collectionId: 'bench', itemId: 'scene' };
const keys = Array.from({ length: task.fileCount }, (_, index) => `B${index}`);
const asset = (key: string) => ({
  href: `${task.origin}/${key}.tif`,
  type: 'image/tiff',
  'file:size': task.sizeBytes,
  'file:checksum': task.checksum,
});
const downloads = createDownloads({
  filePath: task.filePath,
  http: createHttpClient({
    credentials: null,
    clock: systemClock,
    logger: silentLogger,
    maxCatalogRequests: 4,
  }),
  resolveLink: ({ assetKey }) =>
    Promise.resolve({
      link: { url: asset(assetKey).href, kind: 'signed', expiresAtMs: null },
      href: asset(assetKey).href,
      mediaType: 'image/tiff',
      sizeBytes: task.sizeBytes,
      checksum: task.checksum,
    }),
  loadItem: () => {
    const assets = Object.fromEntries(keys.map((key) => [key, asset(key)]));
    return Promise.resolve({ ref, item: { id: 'scene', collection: 'bench', assets } });
  },
  loadCollection: () => Promise.reject(new Error('There is no catalog')),
  clock: systemClock,
  logger: silentLogger,
  appVersion: '0.0.0',
  maxConcurrentTransfers: task.atOnce,
});
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const cpu = process.cpuUsage();
const startedMs = performance.now();
const { destination } = task;
const order = { connectionId: 'bench', ref, assetKeys: keys, destination, links: 'auto' as const };
const { downloadId } = await downloads.start(order);
const transfers = await downloads.waitUntilSettled(downloadId);
const elapsedMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(cpu);
const failed = transfers.find(({ state, verification }) => state !== 'done' || verification !== 'checksum');
if (failed) throw new Error(`A transfer is ${failed.state}: ${failed.error?.message ?? ''}`);
const figures: QueueFigures = {
  elapsedMs,
  cpuMs: (user + system) / 1000,
  peakBytes: readPeakBytes(),
  // The histogram counts the time between two looks, which are a millisecond apart by intent.
  delayMs: Math.max(0, delay.percentile(99) / 1e6 - 1),
};
await downloads.close();
console.log(JSON.stringify(figures));
