import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader, PbfWriter } from 'pbf';
import { expect, test, vi } from 'vitest';
import { paintVectorTile } from './vector-tile-painter.ts';

/** As much of a path as tells what was drawn. */
class RecordedPath {
  readonly rings: [number, number][][] = [];
  moveTo(x: number, y: number): void {
    this.rings.push([[x, y]]);
  }
  lineTo(x: number, y: number): void {
    this.rings.at(-1)?.push([x, y]);
  }
  closePath(): void {
    // Nothing to record.
  }
}
vi.stubGlobal('Path2D', RecordedPath);

const colours = {
  sea: 'sea',
  land: 'land',
  green: 'green',
  built: 'built',
  building: 'building',
  road: 'road',
  roadEdge: 'road-edge',
  line: 'line',
  river: 'river',
};

interface Feature {
  layer: string;
  kind: Record<string, string>;
  type: 2 | 3;
  geometry?: number[];
}

// The corners (0, 0), (4096, 0) and (4096, 4096).
const triangle = [9, 0, 0, 18, 8192, 0, 0, 8192];

/** A tile of features; without a geometry of its own, each is a triangle. */
function writeTile(features: readonly Feature[]): VectorTile {
  const writer = new PbfWriter();
  for (const { layer, kind, type, geometry = triangle } of features) {
    writer.writeMessage(
      3,
      (_, to) => {
        to.writeVarintField(15, 2);
        to.writeStringField(1, layer);
        to.writeMessage(
          2,
          (__, feature) => {
            feature.writePackedVarint(
              2,
              Object.keys(kind).flatMap((___, i) => [i, i]),
            );
            feature.writeVarintField(3, type);
            feature.writePackedVarint(4, geometry);
          },
          null,
        );
        for (const key of Object.keys(kind)) to.writeStringField(3, key);
        for (const value of Object.values(kind))
          to.writeMessage(4, (text, out) => out.writeStringField(1, text), value);
        to.writeVarintField(5, 4096);
      },
      null,
    );
  }
  return new VectorTile(new PbfReader(writer.finish()));
}

/** Whether a canvas would paint this place, by one of its two rules. */
function isFilled({ rings }: RecordedPath, [x, y]: readonly [number, number], rule: string): boolean {
  let [crossings, winding] = [0, 0];
  for (const ring of rings) {
    for (const [i, [fromX, fromY]] of ring.entries()) {
      const [toX, toY] = ring[(i + 1) % ring.length] ?? [fromX, fromY];
      if (fromY > y === toY > y || fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) < x) continue;
      crossings += 1;
      winding += toY > fromY ? 1 : -1;
    }
  }
  return rule === 'evenodd' ? crossings % 2 === 1 : winding !== 0;
}

/** What is painted, in order: the colour of each area and line that has corners, or covers a place. */
function paint(features: readonly Feature[], zoom = 12, place?: readonly [number, number]): string[] {
  const painted: string[] = [];
  const context = {
    fillStyle: '' as unknown,
    strokeStyle: '' as unknown,
    lineWidth: 0,
    lineJoin: '',
    lineCap: '',
    fillRect: () => void painted.push(`ground ${String(context.fillStyle)}`),
    fill: (path: unknown, rule: string) => {
      if (!(path instanceof RecordedPath)) return;
      if (place ? isFilled(path, place, rule) : path.rings.length > 0)
        painted.push(`area ${String(context.fillStyle)}`);
    },
    stroke: (path: unknown) => {
      if (path instanceof RecordedPath && path.rings.length > 0)
        painted.push(`line ${String(context.strokeStyle)}`);
    },
    setLineDash: () => undefined,
  };
  paintVectorTile(context as unknown as Parameters<typeof paintVectorTile>[0], writeTile(features), {
    sizePx: 256,
    zoom,
    colours,
  });
  return painted;
}

test('tiles of the Protomaps scheme: sea under the land, roads with an edge', () => {
  expect(
    paint([
      { layer: 'roads', kind: { kind: 'major_road' }, type: 2 },
      { layer: 'water', kind: { kind: 'lake' }, type: 3 },
      { layer: 'landuse', kind: { kind: 'park' }, type: 3 },
      { layer: 'earth', kind: { kind: 'earth' }, type: 3 },
      { layer: 'boundaries', kind: { kind: 'country' }, type: 2 },
    ]),
  ).toEqual([
    'ground sea',
    'area land',
    'area green',
    'area sea',
    'line road-edge',
    'line road',
    'line line',
  ]);
});

test('tiles of the OpenMapTiles scheme: land is what is not water', () => {
  expect(
    paint([
      { layer: 'transportation', kind: { class: 'motorway' }, type: 2 },
      { layer: 'water', kind: { class: 'ocean' }, type: 3 },
      { layer: 'waterway', kind: { class: 'river' }, type: 2 },
      { layer: 'landcover', kind: { class: 'wood' }, type: 3 },
      { layer: 'boundary', kind: { admin_level: '4' }, type: 2 },
    ]),
  ).toEqual([
    'ground land',
    'area green',
    'area sea',
    'line river',
    'line road-edge',
    'line road',
    'line line',
  ]);
});

test('areas that overlap cut no hole, and a clearing stays one', () => {
  // All of the tile but its middle, which goes round the other way.
  const withClearing = [
    [9, 0, 0, 26, 8192, 0, 0, 8192, 8191, 0, 15],
    [9, 2048, 6143, 26, 0, 4096, 4096, 0, 0, 4095, 15],
  ].flat();
  const forest: Feature = { layer: 'landuse', kind: { kind: 'forest' }, type: 3, geometry: withClearing };
  const park: Feature = { layer: 'landcover', kind: { kind: 'forest' }, type: 3 };
  const colourAt = (x: number, y: number) => paint([forest, park], 12, [x, y]).at(-1);
  expect(colourAt(240, 20)).toBe('area green');
  expect(colourAt(20, 240)).toBe('area green');
  expect(colourAt(170, 90)).toBe('area green');
  expect(colourAt(90, 170)).toBe('ground land');
});

test('small things wait for a closer zoom', () => {
  const street: Feature = { layer: 'roads', kind: { kind: 'minor_road' }, type: 2 };
  expect(paint([street], 9)).toEqual(['ground land']);
  expect(paint([street], 13)).toEqual(['ground land', 'line road-edge', 'line road']);
});

test('of tiles in a scheme of their own, everything is drawn plainly', () => {
  expect(paint([{ layer: 'parcels', kind: {}, type: 3 }])).toEqual([
    'ground land',
    'area built',
    'line line',
  ]);
});
