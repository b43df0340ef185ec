import { beforeEach, expect, it } from 'vitest';
import { toWorldX, toWorldY, worldSizePx } from '#shared/geo/mercator.ts';
import { LabelPainter } from './label-painter.ts';
import type { MapTheme } from './map-theme.ts';
import { MissingTiles } from './missing-tiles.ts';
import type { CanvasFrame } from './picture.ts';

const zoom = 3;
const places = [
  ['Bern', 7.4, 46.9, 0, 1],
  ['Lima', -77, -12, 0, 1],
] as const;
const bern = { x: toWorldX(7.4), y: toWorldY(46.9) };
let labels: LabelPainter;
let missing: MissingTiles;

beforeEach(() => {
  labels = new LabelPainter();
  labels.setNames({ places, countries: [] });
  missing = new MissingTiles();
});

/** What is written on a map of the whole world. */
function written(): string[] {
  const texts: string[] = [];
  const context = {
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillText: (text: string) => texts.push(text),
    strokeText: () => undefined,
    beginPath: () => undefined,
    arc: () => undefined,
    stroke: () => undefined,
    fill: () => undefined,
  };
  const box = { minX: 0, minY: 0, maxX: 1, maxY: 1 };
  const frame = { context, left: 0, top: 0, zoom, scale: worldSizePx(zoom), box };
  labels.paint(frame as unknown as CanvasFrame, { fontFamily: 'sans-serif' } as MapTheme);
  return texts.sort();
}

function cover(bounds: [number, number, number, number] | null): void {
  labels.setHiddenIn({ bounds, minZoom: 0, isMissingAt: (place) => missing.has(place, zoom) });
}

function tileAt({ x, y }: { x: number; y: number }) {
  return { x: Math.floor(x * 2 ** zoom), y: Math.floor(y * 2 ** zoom), z: zoom };
}

it('names are left to a raster map where its tiles lie', () => {
  expect(written()).toEqual(['Bern', 'Lima']);
  cover(null);
  expect(written()).toEqual([]);
  cover([0, 40, 10, 50]);
  expect(written()).toEqual(['Lima']);
});

it.each([null, [-180, -80, 180, 80] as [number, number, number, number]])(
  'names are written where a tile of the map can’t be shown (bounds: %j)',
  (bounds) => {
    cover(bounds);
    missing.add(tileAt(bern));
    expect(written()).toEqual(['Bern']);
    missing.delete(tileAt(bern));
    expect(written()).toEqual([]);
    missing.add({ ...tileAt(bern), z: zoom + 1 });
    expect(written()).toEqual([]);
  },
);
