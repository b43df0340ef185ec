import type { Geometry, Position } from 'geojson';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { signedArea } from './rings.ts';
import { isPlain, unwrapPositions } from './unwrap.ts';

/** What a footprint is made from: an item row, or anything else that has a place. */
export type Placed = Pick<ItemRow, 'footprint' | 'bbox'>;

/** One part of a footprint within `FootprintShapes.coordinates`. */
export interface FootprintPart {
  from: number;
  to: number;
  /** Rings are filled, lines and points are not. */
  isRing: boolean;
}

/** The outlines of footprints in world units, projected once, in arrays that grow as rows come in. */
export class FootprintShapes {
  #coordinates = new Float64Array(4096);
  #length = 0;
  #bounds = new Float64Array(1024);
  #areas = new Float64Array(256);
  readonly #parts: FootprintPart[][] = [];
  /** Middle of the row's first part: the others go into the copy of the world that is nearest to it. */
  #anchorX: number | null = null;

  get count(): number {
    return this.#parts.length;
  }

  /** x and y in turn, of all parts of all rows. */
  get coordinates(): Float64Array {
    return this.#coordinates;
  }

  /** Four numbers a row: minX, minY, maxX, maxY; NaN for a row without a place. */
  get bounds(): Float64Array {
    return this.#bounds;
  }

  /** World units squared; 0 for what has no inside. */
  areaOf(index: number): number {
    return this.#areas[index] ?? 0;
  }

  /** The parts of one footprint; none for a row without a place. */
  partsOf(index: number): readonly FootprintPart[] {
    return this.#parts[index] ?? [];
  }

  /** Adds one more. */
  add(row: Placed): void {
    this.#anchorX = null;
    const own = row.footprint ? this.#addGeometry(row.footprint) : [];
    this.#parts.push(own.length > 0 || !row.bbox ? own : this.#addBox(row.bbox));
    this.#measure(this.#parts.length - 1);
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
      this.#coordinates[this.#length++] = x;
      this.#coordinates[this.#length++] = toWorldY(latitude);
    }
    const middleX = (minX + maxX) / 2;
    this.#anchorX ??= middleX;
    const shift = Math.round(this.#anchorX - middleX);
    if (shift !== 0)
      for (let i = from; i < this.#length; i += 2)
        this.#coordinates[i] = (this.#coordinates[i] ?? NaN) + shift;
    return { from, to: this.#length, isRing };
  }

  #reserve(count: number): void {
    this.#coordinates = withRoom(this.#coordinates, this.#length + count);
  }

  #measure(index: number): void {
    this.#bounds = withRoom(this.#bounds, index * 4 + 4);
    this.#areas = withRoom(this.#areas, index + 1);
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let area = 0;
    for (const { from, to, isRing } of this.partsOf(index)) {
      for (let i = from; i < to; i += 2) {
        const x = this.#coordinates[i] ?? NaN;
        const y = this.#coordinates[i + 1] ?? NaN;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      if (isRing) area += Math.abs(signedArea(this.#coordinates, from, to));
    }
    this.#bounds.set(minX > maxX ? [NaN, NaN, NaN, NaN] : [minX, minY, maxX, maxY], index * 4);
    this.#areas[index] = area;
  }
}

function withRoom(numbers: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  if (count <= numbers.length) return numbers;
  const larger = new Float64Array(Math.max(numbers.length * 2, count));
  larger.set(numbers);
  return larger;
}
