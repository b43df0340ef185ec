import Flatbush from 'flatbush';
import type { Geometry, Position } from 'geojson';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { toWorldX, toWorldY } from './mercator.ts';
import { isInRing, signedArea } from './rings.ts';
import { unwrapPositions } from './unwrap.ts';

/** A box in world units. */
export interface WorldBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** What a footprint is made from: an item row, or anything else that has a place. */
export type Placed = Pick<ItemRow, 'footprint' | 'bbox'>;

/** One part of a footprint within `FootprintSet.coordinates`. */
export interface FootprintPart {
  from: number;
  to: number;
  /** Rings are filled, lines and points are not. */
  isRing: boolean;
}

/** A footprint that is in view, and in which copy of the world. */
export interface VisibleFootprint {
  index: number;
  /** World units to add to x. */
  offset: number;
}

/**
 * The footprints of many rows in world units, with a spatial index. `index` everywhere is the position in `rows`; a row
 * with neither a usable footprint nor a bbox has no parts and is never found.
 */
export class FootprintSet {
  readonly rows: readonly Placed[];
  /** x and y in turn, of all parts of all rows. */
  readonly coordinates: Float64Array;
  /** Four numbers a row: minX, minY, maxX, maxY; NaN for a row without a place. */
  readonly #bounds: Float64Array;
  readonly #areas: Float64Array;
  readonly #parts: FootprintPart[][];
  readonly #tree: Flatbush | null;
  /** Position in the tree → position in `rows`. */
  readonly #placed: number[] = [];

  constructor(rows: readonly Placed[]) {
    this.rows = rows;
    this.#bounds = new Float64Array(rows.length * 4).fill(NaN);
    this.#areas = new Float64Array(rows.length);
    this.#parts = [];
    const builder = new CoordinateBuilder();
    for (const row of rows) this.#parts.push(builder.addRow(row));
    this.coordinates = builder.finish();
    rows.forEach((_, index) => this.#measure(index));
    this.#tree = this.#buildTree();
  }

  /** The parts of one footprint; none for a row without a place. */
  partsOf(index: number): readonly FootprintPart[] {
    return this.#parts[index] ?? [];
  }

  /** The box of one footprint, null for a row without a place. */
  boxOf(index: number): WorldBox | null {
    const [minX = NaN, minY = NaN, maxX = NaN, maxY = NaN] = this.#bounds.subarray(index * 4, index * 4 + 4);
    return Number.isNaN(minX) ? null : { minX, minY, maxX, maxY };
  }

  /**
   * Whether the side that ends at an offset of `coordinates` is a cut along the antimeridian between the parts of one
   * footprint (RFC 7946 §3.1.9), and so no edge of it.
   */
  isCut(index: number, at: number): boolean {
    return (
      this.partsOf(index).length > 1 &&
      isWorldEdge(this.coordinates[at] ?? NaN) &&
      isWorldEdge(this.coordinates[at - 2] ?? NaN)
    );
  }

  /** Everything that touches a box, in every copy of the world, in the order of the rows within a copy. */
  findVisible(box: WorldBox): VisibleFootprint[] {
    const found: VisibleFootprint[] = [];
    if (!this.#tree) return found;
    // A footprint may reach one world beyond its own, hence one copy more to the left.
    for (let offset = Math.floor(box.minX) - 1; offset <= Math.floor(box.maxX) + 1; offset++) {
      const hits = this.#tree.search(box.minX - offset, box.minY, box.maxX - offset, box.maxY);
      hits.sort((a, b) => a - b);
      for (const hit of hits) found.push({ index: this.#placed[hit] ?? 0, offset });
    }
    return found;
  }

  /** The footprints under a point, smallest area first. `tolerance` (world units) helps to hit what is smaller than it. */
  findAt(x: number, y: number, tolerance: number): number[] {
    const box = { minX: x - tolerance, minY: y - tolerance, maxX: x + tolerance, maxY: y + tolerance };
    const hits = new Set<number>();
    for (const { index, offset } of this.findVisible(box)) {
      if (this.#isSmallerThan(index, tolerance * 2) || this.#contains(index, x - offset, y)) hits.add(index);
    }
    return [...hits].sort((a, b) => (this.#areas[a] ?? 0) - (this.#areas[b] ?? 0) || a - b);
  }

  #contains(index: number, x: number, y: number): boolean {
    // Even-odd over all rings, so that holes count.
    let isInside = false;
    for (const part of this.partsOf(index)) {
      if (part.isRing && isInRing(this.coordinates, part, x, y)) isInside = !isInside;
    }
    return isInside;
  }

  #isSmallerThan(index: number, size: number): boolean {
    const box = this.boxOf(index);
    return box !== null && (box.maxX - box.minX < size || box.maxY - box.minY < size);
  }

  #measure(index: number): void {
    const parts = this.partsOf(index);
    if (parts.length === 0) return;
    const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
    let area = 0;
    for (const { from, to, isRing } of parts) {
      for (let i = from; i < to; i += 2) {
        const x = this.coordinates[i] ?? NaN;
        const y = this.coordinates[i + 1] ?? NaN;
        if (x < box.minX) box.minX = x;
        if (x > box.maxX) box.maxX = x;
        if (y < box.minY) box.minY = y;
        if (y > box.maxY) box.maxY = y;
      }
      if (isRing) area += Math.abs(signedArea(this.coordinates, from, to));
    }
    this.#bounds.set([box.minX, box.minY, box.maxX, box.maxY], index * 4);
    this.#areas[index] = area;
  }

  #buildTree(): Flatbush | null {
    for (let index = 0; index < this.rows.length; index++) {
      if (!Number.isNaN(this.#bounds[index * 4])) this.#placed.push(index);
    }
    if (this.#placed.length === 0) return null;
    const tree = new Flatbush(this.#placed.length);
    for (const index of this.#placed) {
      const at = index * 4;
      const [minX = 0, minY = 0, maxX = 0, maxY = 0] = this.#bounds.subarray(at, at + 4);
      tree.add(minX, minY, maxX, maxY);
    }
    tree.finish();
    return tree;
  }
}

function isWorldEdge(worldX: number): boolean {
  return Math.abs(worldX - Math.round(worldX)) < 1e-9;
}

/** Collects coordinates in plain arrays first: how many there are is only known at the end. */
class CoordinateBuilder {
  readonly #numbers: number[] = [];

  /** Middle of the row's first part: the others go into the copy of the world that is nearest to it. */
  #anchorX: number | null = null;

  addRow(row: Placed): FootprintPart[] {
    this.#anchorX = null;
    const parts = row.footprint ? this.#addGeometry(row.footprint as Geometry) : [];
    return parts.length > 0 || !row.bbox ? parts : this.#addBox(row.bbox);
  }

  finish(): Float64Array {
    return Float64Array.from(this.#numbers);
  }

  #addGeometry(geometry: Geometry): FootprintPart[] {
    switch (geometry.type) {
      case 'Polygon':
        return geometry.coordinates.flatMap((ring) => this.#addLine(ring, true));
      case 'MultiPolygon':
        return geometry.coordinates.flat().flatMap((ring) => this.#addLine(ring, true));
      case 'LineString':
        return this.#addLine(geometry.coordinates, false);
      case 'MultiLineString':
        return geometry.coordinates.flatMap((line) => this.#addLine(line, false));
      case 'Point':
        return this.#addLine([geometry.coordinates], false);
      case 'MultiPoint':
        return geometry.coordinates.flatMap((position) => this.#addLine([position], false));
      case 'GeometryCollection':
        return geometry.geometries.flatMap((member) => this.#addGeometry(member));
    }
  }

  #addBox([west, south, east, north]: readonly [number, number, number, number]): FootprintPart[] {
    const right = west > east ? east + 360 : east;
    const corners: Position[] = [
      [west, south],
      [right, south],
      [right, north],
      [west, north],
      [west, south],
    ];
    if (!corners.every(([x = NaN, y = NaN]) => Math.abs(x) <= 720 && Math.abs(y) <= 90)) return [];
    return [this.#write(corners as [number, number][], true)];
  }

  #addLine(positions: readonly Position[], isRing: boolean): FootprintPart[] {
    const unwrapped = unwrapPositions(positions);
    if (unwrapped.length < (isRing ? 3 : 1)) return [];
    return [this.#write(unwrapped, isRing)];
  }

  #write(positions: readonly [number, number][], isRing: boolean): FootprintPart {
    const from = this.#numbers.length;
    const xs = positions.map(([longitude]) => toWorldX(longitude));
    const middleX = (Math.min(...xs) + Math.max(...xs)) / 2;
    this.#anchorX ??= middleX;
    const shift = Math.round(this.#anchorX - middleX);
    positions.forEach(([, latitude], i) => this.#numbers.push((xs[i] ?? NaN) + shift, toWorldY(latitude)));
    return { from, to: this.#numbers.length, isRing };
  }
}
