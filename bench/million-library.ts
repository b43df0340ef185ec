import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { createItemStream } from '../src/main/backend/library/item-stream.ts';
import { demoCollections, queryablesOf } from '../src/main/backend/demo/collections/catalog.ts';
import type { Library } from '../src/main/backend/library/library.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { createMillionItems, createMillionTexts, readText } from './million-items.ts';

/** How many Items the large library has; fewer to try a bench out. */
export const millionCount = Number(process.env['SWATH_BENCH_ITEMS'] ?? 1_000_000);
/** JSON texts that are made before they are taken in, 400 MB. */
const textsAtOnce = 100_000;

/** What was measured while the library was filled. */
export interface Filling {
  itemsPerSecond: number;
  /** How late a timer of the filling thread was, milliseconds, in the worst of the parts that were taken in. */
  delayMedianMs: number;
  delayP99Ms: number;
  delayMaxMs: number;
}

/** A library of a million Items of some 4 kB of JSON each, made once a run. */
export interface MillionLibrary {
  library: Library;
  filePath: string;
  itemAt(number: number): IdentifiedItem;
  filling: Filling;
  /** Lets go of it. The file stays for the next bench, and goes with `removeMillionLibrary`. */
  close(): Promise<void>;
}

let made: Promise<{ folder: string; filePath: string; filling: Filling }> | null = null;
const itemAt = createMillionItems();

/** Opens the library, after making it for the first bench that asks. */
export async function openMillionLibrary(): Promise<MillionLibrary> {
  made ??= make();
  const { filePath, filling } = await made;
  const library = openLibrary({ filePath });
  return { library, filePath, itemAt, filling, close: () => library.close() };
}

/** Deletes the library, if there is one. */
export async function removeMillionLibrary(): Promise<void> {
  if (!made) return;
  const { folder } = await made;
  rmSync(folder, { recursive: true });
  made = null;
}

async function make() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-million-'));
  const filePath = join(folder, 'library.sqlite');
  const library = openLibrary({ filePath });
  const collections = demoCollections();
  await library.saveCollections(collections, 0);
  for (const { id } of collections) {
    const answer = queryablesOf(id);
    if (answer) await library.saveQueryables([id], answer, 0);
  }
  const filling = await fill(library);
  await library.catchUp();
  await library.close();
  return { folder, filePath, filling };
}

/** Some at a time: making their texts is no part of what is measured. */
async function fill(library: Library): Promise<Filling> {
  const textAt = createMillionTexts();
  const worstMs = { median: 0, p99: 0, max: 0 };
  let seconds = 0;
  for (let start = 0; start < millionCount; start += textsAtOnce) {
    const count = Math.min(textsAtOnce, millionCount - start);
    const texts = Array.from({ length: count }, (_, n) => textAt(start + n));
    // A new one each time, because a paused one counts the pause.
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startMs = performance.now();
    await takeIn(library, texts);
    seconds += (performance.now() - startMs) / 1000;
    delay.disable();
    worstMs.median = Math.max(worstMs.median, delay.percentile(50) / 1e6);
    worstMs.p99 = Math.max(worstMs.p99, delay.percentile(99) / 1e6);
    worstMs.max = Math.max(worstMs.max, delay.max / 1e6);
  }
  return {
    itemsPerSecond: millionCount / seconds,
    delayMedianMs: worstMs.median,
    delayP99Ms: worstMs.p99,
    delayMaxMs: worstMs.max,
  };
}

/** As a demo catalog is taken in: the next are read while those before are written. Ends when all are committed. */
async function takeIn(library: Library, texts: readonly string[]): Promise<void> {
  const stream = createItemStream(library, 0);
  for (const [index, text] of texts.entries()) {
    await stream.put(readText(text));
    // Others have their turn, as between pieces that come off the network.
    if (index % 50 === 49) await new Promise(setImmediate);
  }
  await stream.end();
}
