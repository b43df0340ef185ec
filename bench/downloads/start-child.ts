import { createHttpClient } from '../../src/main/backend/http/create-http-client.ts';
import { createDownloads } from '../../src/main/backend/downloads/create-downloads.ts';
import { silentLogger, systemClock } from '../../src/main/backend/ports.ts';

// Opens a queue of so many transfers in a new process; with `fill`, only makes it.
const [filePath = '', destination = '', fileCount = '0', task = 'open'] = process.argv.slice(2);
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
if (task === 'fill') {
  const ref = { collectionId: 'bench', itemId: 'scene' };
  await downloads.start({ connectionId: 'bench', ref, assetKeys: keys, destination, links: 'auto' });
  process.exit();
}
// Every transfer has been told to a window, and the first of them is on its way.
const known = new Promise<number>((resolve) => {
  let count = 0;
  downloads.watch(({ changed }) => {
    count += changed.length;
    if (count >= keys.length) resolve(performance.now());
  });
});
const listedMs = await known;
const readyMs = Math.max(listedMs, await first.promise);
const wakes = 100;
const wokenMs = performance.now();
for (let wake = 0; wake < wakes; wake += 1) downloads.setMaxConcurrentTransfers(4 + (wake % 2));
console.log(JSON.stringify({ readyMs, slotsMs: (performance.now() - wokenMs) / wakes }));
process.exit();
