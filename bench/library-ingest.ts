import { createReadStream, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Bench, Comparison } from './bench.ts';
import { readLines } from '#shared/text/read-lines.ts';
import { readText } from './million-items.ts';
import { millionCount, openMillionLibrary, type MillionLibrary } from './million-library.ts';
import type { Filling } from './million-library-child.ts';

/** Time an Item while a million are kept, 15,000 a second, from their JSON text to the commit: read, packed, indexed, made findable. */
export const libraryIngest: Bench = {
  name: 'library-ingest',
  unit: 'µs',
  target: { limit: 1e6 / 15_000 },
  prepare: () =>
    compare((million) => ({
      ours: () => 1e6 / million.filling.itemsPerSecond,
      // The same texts read and let go: what no program that takes them in can do without.
      reference: () => readOnly(million),
    })),
};

/** How late the asking thread's timers were meanwhile, 99 of 100 and the latest; the reference is half of them. */
export const ingestEventLoop: readonly Bench[] = [
  createEventLoopBench('p99', 16, ({ delayP99Ms }) => delayP99Ms),
  createEventLoopBench('max', 50, ({ delayMaxMs }) => delayMaxMs),
];

/** Memory of the process at its most meanwhile, that which reads the file included; the reference is that before the first Item. */
export const ingestMemory: Bench = {
  name: 'ingest-memory',
  unit: 'MB',
  target: { limit: 350 },
  prepare: () =>
    compare(({ filling }) => ({
      ours: () => filling.peakBytes / 1e6,
      reference: () => filling.startBytes / 1e6,
    })),
};

function createEventLoopBench(name: string, limitMs: number, measure: (filling: Filling) => number): Bench {
  return {
    name: `ingest-event-loop:${name}`,
    unit: 'ms',
    target: { limit: limitMs },
    prepare: () =>
      compare(({ filling }) => ({ ours: () => measure(filling), reference: () => filling.delayMedianMs })),
  };
}

/** Bytes that an Item takes on the disk, indexes and all; the reference is its JSON. */
export const librarySize: Bench = {
  name: 'library-size',
  unit: 'B',
  target: { limit: 1000 },
  prepare: () =>
    compare(({ filePath, ...million }) => ({
      ours: () => statSync(filePath).size / millionCount,
      reference: () => {
        const lengths = Array.from(
          { length: 500 },
          (_, n) => JSON.stringify(million.itemAt(n * 7).item).length,
        );
        return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      },
    })),
};

const questions = [
  'S2B 31UFS',
  'landsat oblique',
  'sentinel',
  'senti',
  '2026',
  'rtc vv descending',
  'MGRS 32',
  'xyzzy',
];

/** The 95th percentile of finding a hundred Items by words; the reference goes on to read those Items. */
export const libraryText: Bench = {
  name: 'library-text',
  unit: 'ms',
  target: { limit: 30 },
  prepare: () =>
    compare((million) => {
      const { library } = million;
      const find = (isReading: boolean) => () => {
        const times = Array.from({ length: 80 }, (_, n) => {
          const startMs = performance.now();
          const refs = library.findText(questions[n % questions.length] ?? '', { limit: 100 });
          if (isReading) for (const ref of refs) library.item(ref);
          return performance.now() - startMs;
        });
        return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;
      };
      return { ours: find(false), reference: find(true) };
    }),
};

async function compare(
  measures: (million: MillionLibrary) => Pick<Comparison, 'ours' | 'reference'>,
): Promise<Comparison> {
  const million = await openMillionLibrary();
  return { ...measures(million), rounds: 3, close: () => million.close() };
}

async function readOnly({ textPath }: MillionLibrary): Promise<number> {
  const texts: string[] = [];
  for await (const text of readLines(createReadStream(textPath, { highWaterMark: 1e6 }), () => 1e6)) {
    if (texts.push(text) === 20_000) break;
  }
  await setTimeout(0);
  const startMs = performance.now();
  for (const text of texts) readText(text);
  return ((performance.now() - startMs) / texts.length) * 1000;
}
