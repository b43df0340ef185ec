import type { MultiPolygon, Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../testing/seeded-random.ts';
import { findCrossing } from './find-crossing.ts';
import { areaKm2OfGeometry } from './measure-area.ts';
import { normaliseArea } from './normalise-area.ts';
import { turnOf } from './open-ring.ts';
import { countVertices, polygonsOf } from './polygons-of.ts';
import { repairArea, simplifyArea } from './simplify-area.ts';
import { drawStar } from './testing/random-shapes.ts';

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

function take(polygons: Position[][][], options = {}): Polygon | MultiPolygon {
  const area = normaliseArea(polygons, options);
  if (!area) throw new Error('nothing is left');
  checkRules(area.geometry);
  return area.geometry;
}

/** What must be true of every area that goes out. */
function checkRules(geometry: Polygon | MultiPolygon): void {
  for (const rings of polygonsOf(geometry)) {
    rings.forEach((ring, index) => {
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(ring.length).toBeGreaterThanOrEqual(4);
      expect(Math.sign(turnOf(ring.slice(1)))).toBe(index === 0 ? 1 : -1);
      ring.forEach(([x = NaN, y = NaN], place) => {
        expect(Math.abs(x)).toBeLessThanOrEqual(180);
        expect(Math.abs(y)).toBeLessThanOrEqual(90);
        expect(Number(x.toFixed(7))).toBe(x);
        expect(Math.abs(x - (ring[place - 1]?.[0] ?? x))).toBeLessThan(180);
      });
    });
  }
}

const spansOf = (geometry: Polygon | MultiPolygon): number[][] =>
  polygonsOf(geometry).map(([ring = []]) => {
    const xs = ring.map(([x = 0]) => x);
    return [Math.min(...xs), Math.max(...xs)];
  });

/** Square degrees: unlike the area on the sphere, they don't depend on the corners that a cut adds. */
const flatSizeOf = (geometry: Polygon | MultiPolygon): number =>
  polygonsOf(geometry)
    .flat()
    .reduce((sum, ring) => sum + turnOf(ring.slice(1)) / 2, 0);

describe('an area as a catalog takes it', () => {
  it('turns rings the right way round and closes them', () => {
    const clockwise = box(0, 0, 10, 10).toReversed();
    expect(take([[clockwise.slice(1), box(2, 2, 4, 4)]])).toEqual(
      take([[box(0, 0, 10, 10), box(2, 2, 4, 4)]]),
    );
  });

  it('cuts at the antimeridian, holes too', () => {
    const geometry = take([[box(170, -10, 190, 10), box(175, -5, 185, 5)]], { isContinuous: true });
    expect(spansOf(geometry).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [-180, -170],
      [170, 180],
    ]);
    const whole = areaKm2OfGeometry({ type: 'Polygon', coordinates: [box(0, -10, 20, 10)] });
    const hole = areaKm2OfGeometry({ type: 'Polygon', coordinates: [box(0, -5, 10, 5)] });
    expect(areaKm2OfGeometry(geometry)).toBeCloseTo(whole - hole, 3);
    expect(
      take([
        [
          [
            [170, -10],
            [-170, -10],
            [-170, 10],
            [170, 10],
          ],
          [
            [175, -5],
            [-175, -5],
            [-175, 5],
            [175, 5],
          ],
        ],
      ]),
    ).toEqual(geometry);
  });

  it('cuts an outline that crosses the antimeridian several times into parts that don’t touch', () => {
    // A comb: its back at 175, three teeth across the antimeridian.
    const comb: Position[] = [
      [175, 0],
      [185, 0],
      [185, 2],
      [177, 2],
      [177, 4],
      [185, 4],
      [185, 6],
      [177, 6],
      [177, 8],
      [185, 8],
      [185, 10],
      [175, 10],
    ];
    const geometry = take([[comb]], { isContinuous: true });
    expect(polygonsOf(geometry)).toHaveLength(4);
    expect(findCrossing(geometry)).toBeNull();
  });

  it('closes a ring around a pole along the antimeridian and the pole', () => {
    for (const sign of [1, -1]) {
      const ring = [-150, -90, -30, 30, 90, 150].map((x): Position => [x, 60 * sign]);
      for (const drawn of [ring, ring.toReversed()]) {
        const area = normaliseArea([[drawn]]);
        expect(area?.changes.isAroundPole).toBe(true);
        const geometry = take([[drawn]]);
        expect(geometry.type).toBe('Polygon');
        // The cap beyond 60 degrees: 2πR²(1 - sin 60°).
        const cap = 2 * Math.PI * 6371.0088 ** 2 * (1 - Math.sin(Math.PI / 3));
        expect(areaKm2OfGeometry(geometry) / cap).toBeCloseTo(1, 6);
      }
    }
  });

  it('leaves the hole around the pole out of a belt', () => {
    const circle = (latitude: number): Position[] =>
      [-120, -60, 0, 60, 120, 180].map((x): Position => [x, latitude]);
    const belt = take([[circle(60), circle(80)]]);
    const expected =
      2 * Math.PI * 6371.0088 ** 2 * (Math.sin((80 * Math.PI) / 180) - Math.sin((60 * Math.PI) / 180));
    expect(areaKm2OfGeometry(belt) / expected).toBeCloseTo(1, 6);
  });

  it('takes the frame of the world and boxes wider than half of it as what they are', () => {
    expect(areaKm2OfGeometry(take([[box(-180, -90, 180, 90)]]))).toBeCloseTo(510_065_621, -3);
    expect(spansOf(take([[box(-170, -60, 170, 70)]], { isContinuous: true }))).toEqual([[-170, 170]]);
    expect(spansOf(take([[box(-170, -60, 170, 70)]]))).toHaveLength(2);
  });

  it('brings home what was drawn in another copy of the world', () => {
    expect(take([[box(710, 0, 730, 10)]], { isContinuous: true })).toEqual(take([[box(-10, 0, 10, 10)]]));
  });

  it('makes one of polygons that overlap or touch, and keeps others apart', () => {
    const area = normaliseArea([
      [box(0, 0, 10, 10)],
      [box(5, 5, 15, 15)],
      [box(15, 5, 20, 15)],
      [box(50, 0, 60, 10)],
    ]);
    expect(area?.changes.dissolvedCount).toBe(2);
    expect(polygonsOf(take([[box(0, 0, 10, 10)], [box(5, 5, 15, 15)], [box(50, 0, 60, 10)]]))).toHaveLength(
      2,
    );
  });

  it('has nothing to say of points, lines and numbers that are none', () => {
    expect(normaliseArea([[[[0, 0]]]])).toBeNull();
    expect(normaliseArea([[box(1, 1, 1, 5)]])).toBeNull();
    expect(
      normaliseArea([
        [
          [
            [NaN, 1],
            [2, Infinity],
            [3, 3],
          ],
        ],
      ]),
    ).toBeNull();
  });

  it('keeps an outline that crosses itself, says where, and can repair it', () => {
    const bowTie = take([
      [
        [
          [0, 0],
          [10, 10],
          [10, 0],
          [0, 10.5],
        ],
      ],
    ]);
    const [x = NaN, y = NaN] = findCrossing(bowTie) ?? [];
    expect(x).toBeCloseTo(5.122, 3);
    expect(y).toBeCloseTo(5.122, 3);
    const repaired = repairArea(bowTie);
    expect(repaired && findCrossing(repaired)).toBeNull();
    expect(repaired?.type).toBe('MultiPolygon');
  });
});

describe('any area', () => {
  it('keeps its size wherever it is put, comes back unchanged, and never breaks a rule', () => {
    const random = createRandom(7);
    for (let round = 0; round < 150; round += 1) {
      const star = drawStar(random, { corners: 3 + Math.floor(random() * 30), radius: 1 + random() * 25 });
      const here = take([[star]], { isContinuous: true });
      const size = flatSizeOf(here);
      for (const shift of [random() * 360 - 180, 360, -720]) {
        const moved = take([[star.map(([x = 0, y = 0]): Position => [x + shift, y])]], {
          isContinuous: true,
        });
        expect(Math.abs(flatSizeOf(moved) / size - 1)).toBeLessThan(1e-5);
        const again = take(polygonsOf(moved).map((rings) => rings.map((ring) => [...ring])));
        expect(Math.abs(flatSizeOf(again) / size - 1)).toBeLessThan(1e-5);
        expect(findCrossing(again)).toBeNull();
        // Jumping at ±180 instead of going on beyond says the same.
        const wrapped = star.map(([x = 0, y = 0]): Position => [
          ((((x + shift + 180) % 360) + 360) % 360) - 180,
          y,
        ]);
        expect(Math.abs(flatSizeOf(take([[wrapped]])) / size - 1)).toBeLessThan(1e-5);
      }
    }
  });

  it('unites random overlapping areas into one that crosses nothing', () => {
    const random = createRandom(11);
    for (let round = 0; round < 40; round += 1) {
      const stars = Array.from({ length: 4 }, () => [drawStar(random, { corners: 9, radius: 8 })]);
      const united = take(stars, { isContinuous: true });
      expect(findCrossing(united)).toBeNull();
      const largest = Math.max(
        ...stars.map((star) => areaKm2OfGeometry(take([star], { isContinuous: true }))),
      );
      expect(areaKm2OfGeometry(united)).toBeGreaterThanOrEqual(largest * (1 - 1e-6));
    }
  });

  it('is simplified to what was asked for, and stays valid', () => {
    const random = createRandom(3);
    for (let round = 0; round < 12; round += 1) {
      const star = drawStar(random, { corners: 3000, radius: 20, roughness: 0.05 });
      const area = take([[star]], { isContinuous: true });
      for (const maxVertices of [500, 60, 8]) {
        const simpler = simplifyArea(area, maxVertices);
        expect(simpler?.vertexCount).toBeLessThanOrEqual(maxVertices);
        expect(simpler && findCrossing(simpler.geometry)).toBeNull();
        if (maxVertices === 500) expect(simpler?.vertexCount).toBeGreaterThan(300);
        if (maxVertices > 8) expect(Math.abs(simpler?.areaChangePercent ?? 100)).toBeLessThan(5);
      }
    }
  });

  it('needs no simplifying when it is simple, and drops the smallest islands when it has too many', () => {
    const square = take([[box(0, 0, 1, 1)]]);
    expect(simplifyArea(square, 10)?.geometry).toBe(square);
    const islands = Array.from({ length: 50 }, (_, i) => [
      box(i * 2, 0, i * 2 + 0.01 * (i + 1), 0.01 * (i + 1)),
    ]);
    const fewer = simplifyArea(take(islands), 40);
    expect(fewer?.vertexCount).toBeLessThanOrEqual(40);
    expect(fewer && countVertices(fewer.geometry)).toBeGreaterThan(20);
  });
});
