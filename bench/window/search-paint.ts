import type { Page } from 'playwright-core';
import { footprintOf, readItem } from '#shared/stac/item.ts';
import type { Bench, Comparison } from '../bench.ts';
import { noRecordedPage, readRecordedPage } from '../recorded-page.ts';
import { openBenchWindow, type BenchWindow } from './bench-window.ts';
import { drawPlainly, openPlainMap } from './plain-map.ts';
import { serveCatalog, type BenchCatalog } from './serve-catalog.ts';

/**
 * A recorded page from its last byte at the program to its footprints in the window: parsed, kept in the library, across
 * the pipe, listed and painted. The reference is a page that parses it and draws polygons, and does nothing else.
 */
export const searchPaint: Bench = {
  name: 'search-paint',
  unit: 'ms',
  target: { limit: 150 },
  async prepare() {
    const page = readRecordedPage();
    if (!page) return noRecordedPage;
    const { features } = JSON.parse(page.toString()) as { features: { collection: string }[] };
    const catalog = await serveCatalog(features[0]?.collection ?? '', [
      Buffer.from(JSON.stringify(features)),
    ]);
    const opened = await openBenchWindow(catalog);
    if ('unavailable' in opened) return opened;
    return compare(opened, { catalog, body: page.toString() });
  },
};

async function compare(
  opened: BenchWindow,
  { catalog, body }: { catalog: BenchCatalog; body: string },
): Promise<Comparison> {
  const { page, plain, map } = opened;
  await watchPainted(page);
  await openPlainMap(plain, (await map.boundingBox()) ?? { width: 720, height: 800 });
  const { features } = JSON.parse(body) as { features: unknown[] };
  return {
    rounds: 10,
    ours: async () => {
      await page.bringToFront();
      const lastByte = catalog.nextLastByteAtMs();
      // Looking for the results in the page from outside would take its time from it.
      await opened.ask(features.length);
      const lastByteAtMs = await lastByte;
      return (await paintedAfter(page, lastByteAtMs)) - lastByteAtMs;
    },
    reference: async () => {
      await plain.bringToFront();
      const parseMs = await plain.evaluate((text) => {
        const startMs = performance.now();
        JSON.parse(text);
        return performance.now() - startMs;
      }, body);
      return parseMs + (await drawPlainly(plain, features.map(ringOf)));
    },
    close: () => opened.close(),
  };
}

/** Notes when pictures of footprints are on the screen, in milliseconds since 1970. */
function watchPainted(page: Page): Promise<void> {
  return page.evaluate(() => {
    const paintedAtMs: number[] = [];
    Object.assign(globalThis, { paintedAtMs });
    // What was drawn in a frame is shown after it.
    const note = (): void =>
      void requestAnimationFrame(() =>
        setTimeout(() => paintedAtMs.push(performance.timeOrigin + performance.now()), 0),
      );
    new PerformanceObserver(note).observe({ type: 'mark' });
  });
}

/** The first of them after a time. */
async function paintedAfter(page: Page, timeMs: number): Promise<number> {
  const found = await page.waitForFunction((afterMs) => {
    const { paintedAtMs } = globalThis as unknown as { paintedAtMs: number[] };
    return paintedAtMs.find((atMs) => atMs > afterMs);
  }, timeMs);
  return (await found.jsonValue()) ?? NaN;
}

function ringOf(feature: unknown): number[][] {
  const reading = readItem(feature);
  const footprint = 'item' in reading ? footprintOf(reading.item) : null;
  return footprint?.type === 'Polygon' ? (footprint.coordinates[0] ?? []) : [];
}
