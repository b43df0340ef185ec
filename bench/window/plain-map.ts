import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type * as Leaflet from 'leaflet';
import type { Page } from 'playwright-core';

const leafletFolder = createRequire(import.meta.url)
  .resolve('leaflet/package.json')
  .replace('package.json', 'dist/');

type Ring = readonly (readonly number[])[];

/** Opens a page with nothing but a Leaflet map as large as the one of the window. */
export async function openPlainMap(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setContent('<div id="map"></div>');
  await page.addStyleTag({ path: `${leafletFolder}leaflet.css` });
  await page.addStyleTag({ content: `#map { width: ${size.width}px; height: ${size.height}px }` });
  await page.addScriptTag({ content: readFileSync(`${leafletFolder}leaflet.js`, 'utf8') });
  await page.evaluate(() => {
    const { L } = globalThis as unknown as { L: typeof Leaflet };
    const map = L.map('map', { center: [51, 15], zoom: 3.5, zoomSnap: 0.25 });
    Object.assign(globalThis, { map, renderer: L.canvas() });
  });
}

/** Draws polygons as Leaflet does it on one canvas, and waits until they are there: milliseconds. */
export function drawPlainly(page: Page, rings: readonly Ring[]): Promise<number> {
  return page.evaluate(async (outlines) => {
    const { L, map, renderer } = globalThis as unknown as {
      L: typeof Leaflet;
      map: Leaflet.Map;
      renderer: Leaflet.Canvas;
    };
    const startMs = performance.now();
    const polygons = outlines.map((ring) =>
      L.polygon(
        ring.map(([x = 0, y = 0]) => [y, x]),
        { renderer, weight: 1, fillOpacity: 0.07 },
      ),
    );
    L.featureGroup(polygons).addTo(map);
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return performance.now() - startMs;
  }, rings);
}

/** Brings everything into view again. */
export async function centrePlainMap(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { map } = globalThis as unknown as { map: Leaflet.Map };
    map.setView([51, 15], 3.5, { animate: false });
  });
}
