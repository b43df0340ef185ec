import { createHttpClient } from '../../http/create-http-client.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { createDownloads } from '../create-downloads.ts';

/** What the child process is told on its command line, as JSON. */
export interface ChildOrder {
  filePath: string;
  destination: string;
  href: string;
  sizeBytes: number;
  checksum: string;
}

// A queue in a process of its own, to be killed. It orders one file, unless the queue knows it already.
const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const ref = { collectionId: 's2', itemId: 'scene' };
const asset = { href: order.href, 'file:size': order.sizeBytes, 'file:checksum': order.checksum };
const downloads = createDownloads({
  filePath: order.filePath,
  http: createHttpClient({
    credentials: null,
    clock: systemClock,
    logger: silentLogger,
    maxCatalogRequests: 1,
  }),
  resolveLink: () =>
    Promise.resolve({
      link: { url: order.href, kind: 'signed', expiresAtMs: null },
      href: order.href,
      mediaType: null,
      sizeBytes: order.sizeBytes,
      checksum: order.checksum,
    }),
  loadItem: () => Promise.resolve({ ref, item: { id: 'scene', assets: { B04: asset } } }),
  loadCollection: () => Promise.reject(new Error('There is no catalog')),
  clock: systemClock,
  logger: silentLogger,
  appVersion: '9.9.9',
  maxConcurrentTransfers: 1,
});
const known = downloads.transfers()[0]?.downloadId;
const downloadId =
  known ??
  (
    await downloads.start({
      connectionId: 'test',
      ref,
      assetKeys: ['B04'],
      destination: order.destination,
      links: 'auto',
    })
  ).downloadId;
const [transfer] = await downloads.waitUntilSettled(downloadId);
await downloads.close();
process.stdout.write(JSON.stringify(transfer));
