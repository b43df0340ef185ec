import { createHttpClient } from '../../src/main/backend/http/create-http-client.ts';
import { createDownloads } from '../../src/main/backend/downloads/create-downloads.ts';
import { silentLogger, systemClock } from '../../src/main/backend/ports.ts';

// Opens a queue in a new process; with a count, fills it with so many transfers first.
const [filePath = '', destination = '', fileCount = '0'] = process.argv.slice(2);
const keys = Array.from({ length: Number(fileCount) }, (_, index) => `B${index}`);
const first = Promise.withResolvers<number>();
const downloads = createDownloads({
  filePath,
  http: createHttpClient({
    credentials: null,
    clock: systemClock,
    logger: silentLogger,
    maxCatalogRequests: 4,
  }),
  resolveLink: () => {
    first.resolve(performance.now());
    return new Promise(() => undefined);
  },
  loadItem: () => {
    const assets = Object.fromEntries(
      keys.map((key) => [key, { href: `https://storage.example/${key}.tif`, 'file:size': 1000 }]),
    );
    return Promise.resolve({
      ref: { collectionId: 'bench', itemId: 'scene' },
      item: { id: 'scene', collection: 'bench', assets },
    });
  },
  loadCollection: () => Promise.reject(new Error('There is no catalog')),
  clock: systemClock,
  logger: silentLogger,
  appVersion: '0.0.0',
  maxConcurrentTransfers: 4,
});
if (keys.length > 0) {
  const ref = { collectionId: 'bench', itemId: 'scene' };
  await downloads.start({ connectionId: 'bench', ref, assetKeys: keys, destination, links: 'auto' });
  process.exit();
}
// Every transfer has been told to a window, and the first of them is on its way.
const known = new Promise<number>((resolve) => {
  let count = 0;
  downloads.watch(({ changed }) => {
    count += changed.length;
    if (count >= 10_000) resolve(performance.now());
  });
});
const listedMs = await known;
console.log(JSON.stringify({ readyMs: Math.max(listedMs, await first.promise) }));
process.exit();
