import { createReadStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readLines } from '#shared/text/read-lines.ts';
import { demoCollections, queryablesOf } from '../src/main/backend/demo/collections/catalog.ts';
import { createItemStream } from '../src/main/backend/library/item-stream.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { boundHeaps } from '../src/main/host/bound-heaps.ts';
import { readText } from './million-items.ts';
import { readPeakBytes } from './peak-memory.ts';

/** Items for which the delays of timers are looked at together. */
const itemsPerPart = 100_000;

/** What was measured while the library was filled. */
export interface Filling {
  itemsPerSecond: number;
  /** How late a timer of the filling thread was, milliseconds, in the worst of the parts that were taken in. */
  delayMedianMs: number;
  delayP99Ms: number;
  delayMaxMs: number;
  /** Memory of the process before the first Item, and at its most. */
  startBytes: number;
  peakBytes: number;
}

// Fills a library with the Items of a file, a line of JSON each, as a demo catalog is taken in: the next are read while
// those before are written. In a process of its own: with all benches loaded, the garbage collection has twice as much to
// look through as in the program.
boundHeaps();
const [filePath = '', textPath = ''] = process.argv.slice(2);
const library = openLibrary({ filePath });
const collections = demoCollections();
await library.saveCollections(collections, 0);
for (const { id } of collections) {
  const answer = queryablesOf(id);
  if (answer) await library.saveQueryables([id], answer, 0);
}
const worstMs = { median: 0, p99: 0, max: 0 };
const delay = monitorEventLoopDelay({ resolution: 1 });
const endPart = () => {
  worstMs.median = Math.max(worstMs.median, delay.percentile(50) / 1e6);
  worstMs.p99 = Math.max(worstMs.p99, delay.percentile(99) / 1e6);
  worstMs.max = Math.max(worstMs.max, delay.max / 1e6);
  delay.reset();
};
const stream = createItemStream(library, 0);
let count = 0;
const startBytes = process.memoryUsage.rss();
delay.enable();
const startMs = performance.now();
for await (const text of readLines(createReadStream(textPath, { highWaterMark: 1e6 }), () => 1e6)) {
  await stream.put(readText(text));
  count += 1;
  // Others have their turn, as between pieces that come off the network.
  if (count % 50 === 0) await new Promise(setImmediate);
  if (count % itemsPerPart === 0) endPart();
}
await stream.end();
const seconds = (performance.now() - startMs) / 1000;
endPart();
delay.disable();
const filling: Filling = {
  itemsPerSecond: count / seconds,
  delayMedianMs: worstMs.median,
  delayP99Ms: worstMs.p99,
  delayMaxMs: worstMs.max,
  startBytes,
  peakBytes: readPeakBytes(),
};
await library.catchUp();
await library.close();
console.log(JSON.stringify(filling));
