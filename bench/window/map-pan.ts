import type { Page } from 'playwright-core';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Bench, Comparison } from '../bench.ts';
import { benchCollectionId, benchItems } from '../bench-items.ts';
import { openBenchWindow, type BenchWindow } from './bench-window.ts';
import { p95, panFrames } from './pan-frames.ts';
import { centrePlainMap, drawPlainly, openPlainMap } from './plain-map.ts';
import { serveCatalog } from './serve-catalog.ts';

const itemsAPage = 5000;
/** An animation and the painting after it are over by then. */
const restMs = 1000;

/**
 * The 95th percentile of the frames while a map full of footprints is panned: the window as it is built, with its list,
 * its basemap and everything else on it, against plain Leaflet polygons on a canvas in the same browser.
 */
export function createMapPan(count: number, limitMs: number): Bench {
  return {
    name: `map-pan-${count}`,
    unit: 'ms',
    target: { limit: limitMs },
    prepare: () => prepare(benchItems(count)),
  };
}

async function prepare(items: readonly IdentifiedItem[]): Promise<Comparison | { unavailable: string }> {
  const catalog = await serveCatalog(benchCollectionId, toPages(items));
  const opened = await openBenchWindow(catalog);
  if ('unavailable' in opened) return opened;
  try {
    return await compare(opened, items);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function compare(opened: BenchWindow, items: readonly IdentifiedItem[]): Promise<Comparison> {
  const { page, plain, map } = opened;
  await opened.search(items.length);
  await showAll(page);
  const size = (await map.boundingBox()) ?? { width: 720, height: 800 };
  await openPlainMap(plain, size);
  await drawPlainly(
    plain,
    items.map(({ item }) => ringOf(item)),
  );
  return {
    rounds: 5,
    ours: async () => {
      await page.bringToFront();
      // Throws carry the map on a little; each round is of all footprints again.
      await showAll(page);
      return p95(await panFrames(page));
    },
    reference: async () => {
      await plain.bringToFront();
      await centrePlainMap(plain);
      return p95(await panFrames(plain));
    },
    close: () => opened.close(),
  };
}

async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show all results' }).click();
  await page.waitForTimeout(restMs);
}

function toPages(items: readonly IdentifiedItem[]): Buffer[] {
  return Array.from({ length: Math.ceil(items.length / itemsAPage) }, (_, number) => {
    const page = items.slice(number * itemsAPage, (number + 1) * itemsAPage);
    return Buffer.from(JSON.stringify(page.map(({ item }) => item)));
  });
}

function ringOf(item: IdentifiedItem['item']): number[][] {
  const { coordinates } = item['geometry'] as { coordinates: number[][][] };
  return coordinates[0] ?? [];
}
