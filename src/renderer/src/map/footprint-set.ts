import Flatbush from 'flatbush';
import type { Geometry, Position } from 'geojson';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { toWorldX, toWorldY } from './mercator.ts';
import { isInRing, signedArea } from './rings.ts';
import { isPlain, unwrapPositions } from './unwrap.ts';

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
  readonly bounds: Float64Array;
  readonly #areas: Float64Array;
  readonly #parts: FootprintPart[][];
  readonly #tree: Flatbush | null;
  /** Position in the tree → position in `rows`. */
  readonly #placed: number[] = [];

  constructor(rows: readonly Placed[]) {
    this.rows = rows;
    this.bounds = new Float64Array(rows.length * 4).fill(NaN);
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
    const at = index * 4;
    const minX = this.bounds[at] ?? NaN;
    if (Number.isNaN(minX)) return null;
    return {
      minX,
      minY: this.bounds[at + 1] ?? NaN,
      maxX: this.bounds[at + 2] ?? NaN,
      maxY: this.bounds[at + 3] ?? NaN,
    };
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

  /** Everything that touches a box, in every copy of the world, neighbour by neighbour. */
  findVisible(box: WorldBox): VisibleFootprint[] {
    const found: VisibleFootprint[] = [];
    if (!this.#tree) return found;
    // A footprint may reach one world beyond its own, hence one copy more to the left.
    for (let offset = Math.floor(box.minX) - 1; offset <= Math.floor(box.maxX) + 1; offset++) {
      const hits = this.#tree.search(box.minX - offset, box.minY, box.maxX - offset, box.maxY);
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
      if (part.isRing && isInRing(this.coordinates, part, { x, y })) isInside = !isInside;
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
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let area = 0;
    for (const { from, to, isRing } of parts) {
      for (let i = from; i < to; i += 2) {
        const x = this.coordinates[i] ?? NaN;
        const y = this.coordinates[i + 1] ?? NaN;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      if (isRing) area += Math.abs(signedArea(this.coordinates, from, to));
    }
    this.bounds.set([minX, minY, maxX, maxY], index * 4);
    this.#areas[index] = area;
  }

  #buildTree(): Flatbush | null {
    for (let index = 0; index < this.rows.length; index++) {
      if (!Number.isNaN(this.bounds[index * 4])) this.#placed.push(index);
    }
    if (this.#placed.length === 0) return null;
    const tree = new Flatbush(this.#placed.length);
    for (const index of this.#placed) {
      const at = index * 4;
      const { bounds } = this;
      tree.add(bounds[at] ?? 0, bounds[at + 1] ?? 0, bounds[at + 2], bounds[at + 3]);
    }
    tree.finish();
    return tree;
  }
}

function isWorldEdge(worldX: number): boolean {
  return Math.abs(worldX - Math.round(worldX)) < 1e-9;
}

/** Collects coordinates in an array that grows: how many there are is only known at the end. */
class CoordinateBuilder {
  #numbers = new Float64Array(4096);
  #length = 0;

  /** Middle of the row's first part: the others go into the copy of the world that is nearest to it. */
  #anchorX: number | null = null;

  addRow(row: Placed): FootprintPart[] {
    this.#anchorX = null;
    const parts = row.footprint ? this.#addGeometry(row.footprint) : [];
    return parts.length > 0 || !row.bbox ? parts : this.#addBox(row.bbox);
  }

  finish(): Float64Array {
    return this.#numbers.slice(0, this.#length);
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
    return [this.#write(corners, true)];
  }

  #addLine(positions: readonly Position[], isRing: boolean): FootprintPart[] {
    const unwrapped = isPlain(positions) ? positions : unwrapPositions(positions);
    if (unwrapped.length < (isRing ? 3 : 1)) return [];
    return [this.#write(unwrapped, isRing)];
  }

  #write(positions: readonly (readonly number[])[], isRing: boolean): FootprintPart {
    const from = this.#length;
    this.#reserve(positions.length * 2);
    let minX = Infinity;
    let maxX = -Infinity;
    for (const [longitude = NaN, latitude = NaN] of positions) {
      const x = toWorldX(longitude);
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      this.#numbers[this.#length++] = x;
      this.#numbers[this.#length++] = toWorldY(latitude);
    }
    const middleX = (minX + maxX) / 2;
    this.#anchorX ??= middleX;
    const shift = Math.round(this.#anchorX - middleX);
    if (shift !== 0)
      for (let i = from; i < this.#length; i += 2) this.#numbers[i] = (this.#numbers[i] ?? NaN) + shift;
    return { from, to: this.#length, isRing };
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(this.#numbers.length * 2, this.#length + count));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
