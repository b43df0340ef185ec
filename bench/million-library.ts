import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { createItemStream } from '../src/main/backend/library/item-stream.ts';
import { demoCollections, queryablesOf } from '../src/main/backend/demo/collections/catalog.ts';
import type { Library } from '../src/main/backend/library/library.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { readLines } from '#shared/text/read-lines.ts';
import { createMillionItems, createMillionTexts, readText } from './million-items.ts';

/** How many Items the large library has; fewer to try a bench out. */
export const millionCount = Number(process.env['SWATH_BENCH_ITEMS'] ?? 1_000_000);
/** Items for which the delays of timers are looked at together. */
const itemsPerPart = 100_000;
/** Texts that are written to the file in one go. */
const textsAtOnce = 500;

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
  /** The Items that it was made of, a line of JSON each, 4.5 GB. */
  textPath: string;
  itemAt(number: number): IdentifiedItem;
  filling: Filling;
  /** Lets go of it. The file stays for the next bench, and goes with `removeMillionLibrary`. */
  close(): Promise<void>;
}

let made: Promise<{ folder: string; filePath: string; textPath: string; filling: Filling }> | null = null;
const itemAt = createMillionItems();

/** Opens the library, after making it for the first bench that asks. */
export async function openMillionLibrary(): Promise<MillionLibrary> {
  made ??= make();
  const { filePath, textPath, filling } = await made;
  const library = openLibrary({ filePath });
  return { library, filePath, textPath, itemAt, filling, close: () => library.close() };
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
  const textPath = join(folder, 'items.jsonl');
  await writeTexts(textPath);
  const library = openLibrary({ filePath });
  const collections = demoCollections();
  await library.saveCollections(collections, 0);
  for (const { id } of collections) {
    const answer = queryablesOf(id);
    if (answer) await library.saveQueryables([id], answer, 0);
  }
  const filling = await fill(library, textPath);
  await library.catchUp();
  await library.close();
  return { folder, filePath, textPath, filling };
}

/** On the disk before anything is measured: making them is no part of it, and neither is writing them. */
async function writeTexts(path: string): Promise<void> {
  const textAt = createMillionTexts();
  const file = await open(path, 'w');
  for (let start = 0; start < millionCount; start += textsAtOnce) {
    const count = Math.min(textsAtOnce, millionCount - start);
    const texts = Array.from({ length: count }, (_, n) => `${textAt(start + n)}\n`);
    await file.write(texts.join(''));
  }
  await file.sync();
  await file.close();
}

/** As a demo catalog is taken in: the next are read while those before are written. Ends when all are committed. */
async function fill(library: Library, textPath: string): Promise<Filling> {
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
  return {
    itemsPerSecond: millionCount / seconds,
    delayMedianMs: worstMs.median,
    delayP99Ms: worstMs.p99,
    delayMaxMs: worstMs.max,
  };
}
