import { union } from 'polyclip-ts';
import type { Geometry } from 'geojson';
import { areaOf, sharedArea } from './clip-convex.ts';
import { toPlane, type PlanePolygon, type PlaneRing } from './equal-area.ts';

interface PlaneBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

interface BoxedPolygon {
  polygon: PlanePolygon;
  box: PlaneBox;
}

/** A footprint ready to be measured: its polygons in every turn of the world in which they meet the area. */
export type PlacedFootprint = readonly BoxedPolygon[];

const turn = 2 * Math.PI;

/** Footprints united at once; more are united group by group, whose shapes are simpler than their parts. */
const unionGroup = 24;

/** How much of one area is covered. All results are per cent of that area, 0 to 100. */
export class CoverageMeasure {
  readonly #parts: readonly BoxedPolygon[];
  readonly #box: PlaneBox;
  readonly #area: number;

  constructor(area: Geometry) {
    const written = toPlane(area, 'as-written');
    // Parts that overlap would count twice.
    this.#parts = (written.length > 1 ? uniteAll(written) : written).map(withBox);
    this.#box = uniteBoxes(this.#parts.map(({ box }) => box));
    this.#area = this.#parts.reduce((sum, { polygon }) => sum + areaOf(polygon), 0);
  }

  /** A footprint as it meets the area; null for one that has no surface, or lies nowhere on Earth. */
  place(footprint: Geometry): PlacedFootprint | null {
    const polygons = toPlane(footprint, 'on-the-globe');
    if (polygons.length === 0) return null;
    return polygons.flatMap((polygon) => {
      const { minX, maxX, minY, maxY } = boxOf(polygon);
      if (maxY < this.#box.minY || minY > this.#box.maxY) return [];
      const first = Math.ceil((this.#box.minX - maxX) / turn);
      const last = Math.floor((this.#box.maxX - minX) / turn);
      const turns = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
      return turns.map((number) => withBox(shift(polygon, number * turn)));
    });
  }

  /** How much of the area a footprint covers; null when the area has no surface. */
  percentOf(footprint: PlacedFootprint): number | null {
    if (this.#area <= 0) return null;
    let covered = 0;
    for (const { polygon, box } of footprint) {
      for (const part of this.#parts) {
        if (doBoxesMeet(part.box, box)) covered += sharedArea(part.polygon, polygon);
      }
    }
    return toPercent(covered / this.#area);
  }

  /** How much of the area footprints cover together; null when their union can't be made. */
  percentOfAll(footprints: readonly PlacedFootprint[]): number | null {
    const touching = withoutRepeats(footprints.filter((footprint) => footprint.length > 0));
    const singles = touching.map((footprint) => this.percentOf(footprint) ?? 0);
    const largest = Math.max(0, ...singles);
    if (touching.length < 2 || largest >= 100) return this.#area <= 0 ? null : largest;
    try {
      const united = uniteAll(touching.flatMap((footprint) => footprint.map(({ polygon }) => polygon)));
      return this.percentOf(united.map(withBox));
    } catch {
      // A shape that crosses itself in a way the sweep can't follow.
      return null;
    }
  }
}

function uniteAll(polygons: readonly PlanePolygon[]): PlanePolygon[] {
  let level: PlanePolygon[][] = polygons.map((polygon) => [polygon]);
  while (level.length > 1) {
    const next: PlanePolygon[][] = [];
    for (let from = 0; from < level.length; from += unionGroup) {
      const [first, ...others] = level.slice(from, from + unionGroup);
      if (first) next.push(union(first, ...others));
    }
    level = next;
  }
  return level[0] ?? [];
}

// A tile that is in the catalog twice, as two processings of one image are.
function withoutRepeats(footprints: readonly PlacedFootprint[]): PlacedFootprint[] {
  const seen = new Set<string>();
  return footprints.filter((footprint) => {
    const key = JSON.stringify(footprint.map(({ polygon }) => polygon));
    return seen.has(key) ? false : seen.add(key);
  });
}

function toPercent(part: number): number {
  const percent = Math.min(100, Math.max(0, part * 100));
  // What is missing of whole is the last digit of a double, not of the image.
  return percent > 99.9999 ? 100 : percent < 1e-9 ? 0 : percent;
}

function shift(polygon: PlanePolygon, byX: number): PlanePolygon {
  return byX === 0 ? polygon : polygon.map((ring): PlaneRing => ring.map(([x, y]) => [x + byX, y]));
}

function withBox(polygon: PlanePolygon): BoxedPolygon {
  return { polygon, box: boxOf(polygon) };
}

function boxOf([outline = []]: PlanePolygon): PlaneBox {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const [x, y] of outline) {
    box.minX = Math.min(box.minX, x);
    box.maxX = Math.max(box.maxX, x);
    box.minY = Math.min(box.minY, y);
    box.maxY = Math.max(box.maxY, y);
  }
  return box;
}

function uniteBoxes(boxes: readonly PlaneBox[]): PlaneBox {
  return {
    minX: Math.min(...boxes.map(({ minX }) => minX)),
    minY: Math.min(...boxes.map(({ minY }) => minY)),
    maxX: Math.max(...boxes.map(({ maxX }) => maxX)),
    maxY: Math.max(...boxes.map(({ maxY }) => maxY)),
  };
}

function doBoxesMeet(a: PlaneBox, b: PlaneBox): boolean {
  return a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY;
}
