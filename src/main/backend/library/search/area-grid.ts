import type { Geometry, Position } from 'geojson';
import { bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';

/** Cells along each side of the grid. */
const mostCells = 128;
/** Those of an area with so few sides that its cells aren't made for less than they spare. */
const fewCells = 32;
const fewSides = 8;

/** Where a box is: wholly apart from the area, wholly within it, or neither is sure. */
export type BoxRelation = 'outside' | 'inside' | 'unsure';

/** Sides as numbers, four a side: from x, y to x, y. */
export type Sides = Float64Array;

const numbersEach = 4;

/** The rings of each polygon, or each line. */
interface AreaParts {
  parts: readonly Position[][][];
  isFilled: boolean;
}

interface Extent {
  cells: number;
  west: number;
  south: number;
  cellWidth: number;
  cellHeight: number;
}

/**
 * Polygons or lines over a grid, whose cells are inside, outside or on the boundary, so that most boxes and points are
 * judged without looking at a side, and the others by the few sides of their rows. Lines have nothing inside.
 */
export class AreaGrid {
  readonly #extent: Extent;
  /** Sums of the cells south-west of each corner, so that a box of cells is counted with four of them. */
  readonly #insideSums: Int32Array;
  readonly #boundarySums: Int32Array;
  /** By row, then by part. */
  readonly #sidesOfRow: readonly (readonly Sides[])[];
  /** By part. */
  readonly #allSides: readonly Sides[];
  /** How much there is to look at in all rows before each. */
  readonly #sizesBefore: Float64Array;
  readonly #allSize: number;
  /** Whether the parts are polygons. */
  readonly isFilled: boolean;
  /** One corner of each part. */
  readonly corners: readonly Position[];
  readonly bounds: Bbox;

  constructor({ parts, isFilled }: AreaParts, bounds: Bbox) {
    this.bounds = bounds;
    this.isFilled = isFilled;
    this.corners = parts.flatMap(([first]) => first?.slice(0, 1) ?? []);
    const sidesOfParts = (this.#allSides = parts.map((paths) => toSides(paths)));
    this.#allSize = sizeOf(sidesOfParts);
    const cells = this.#allSize > fewSides * numbersEach ? mostCells : fewCells;
    const extent = (this.#extent = toExtent(bounds, cells));
    const boundary = new Uint8Array(cells * cells);
    const sidesOfRow = Array.from({ length: cells }, () => [] as Sides[]);
    for (const sides of sidesOfParts) {
      const rows = markSides(sides, { extent, boundary });
      for (const [row, ofRow] of rows) sidesOfRow[row]?.push(Float64Array.from(ofRow));
    }
    const inside = new Uint8Array(cells * cells);
    if (isFilled) for (const sides of sidesOfParts) markInside(sides, { extent, boundary, inside });
    this.#insideSums = sumUp(inside, cells);
    this.#boundarySums = sumUp(boundary, cells);
    this.#sidesOfRow = sidesOfRow;
    this.#sizesBefore = new Float64Array(cells + 1);
    for (const [row, ofRow] of sidesOfRow.entries())
      this.#sizesBefore[row + 1] = (this.#sizesBefore[row] ?? 0) + sizeOf(ofRow);
  }

  /** Judges a box, made wider on all sides by a slack in degrees, by the cells that it touches. */
  relateBox(box: Bbox, slack = 0): BoxRelation {
    const { west: x, south: y, cellWidth, cellHeight, cells } = this.#extent;
    const fromColumn = Math.floor((box[0] - slack - x) / cellWidth);
    const toColumn = Math.floor((box[2] + slack - x) / cellWidth);
    const fromRow = Math.floor((box[1] - slack - y) / cellHeight);
    const toRow = Math.floor((box[3] + slack - y) / cellHeight);
    if (toColumn < 0 || toRow < 0 || fromColumn >= cells || fromRow >= cells) return 'outside';
    const [left, right] = [Math.max(0, fromColumn), Math.min(cells - 1, toColumn)];
    const [bottom, top] = [Math.max(0, fromRow), Math.min(cells - 1, toRow)];
    const touched = { left, bottom, right, top };
    if (countCells(this.#boundarySums, cells, touched) > 0) return 'unsure';
    const insideCount = countCells(this.#insideSums, cells, touched);
    if (insideCount === 0) return 'outside';
    const count = (toColumn - fromColumn + 1) * (toRow - fromRow + 1);
    return insideCount === count ? 'inside' : 'unsure';
  }

  /** The rows from one latitude to the other; past the end where there is none. */
  rowsBetween(south: number, north: number): { from: number; to: number } {
    const { south: y, cellHeight, cells } = this.#extent;
    return {
      from: Math.max(0, Math.floor((south - y) / cellHeight)),
      to: Math.min(cells - 1, Math.floor((north - y) / cellHeight)),
    };
  }

  /** The sides that cross a row, each part by itself. */
  sidesOf(row: number): readonly Sides[] {
    return this.#sidesOfRow[row] ?? [];
  }

  /** All sides that cross these rows, and more where that is less to look at: a long side is in many rows. */
  sidesNear({ from, to }: { from: number; to: number }): readonly (readonly Sides[])[] {
    if (from > to) return [];
    const size = (this.#sizesBefore[to + 1] ?? 0) - (this.#sizesBefore[from] ?? 0);
    return size < this.#allSize ? this.#sidesOfRow.slice(from, to + 1) : [this.#allSides];
  }
}

/** Grids by their geometry's JSON: a person asks page after page of the same area. */
const known = new Map<string, AreaGrid | null>();
const maxKnown = 8;

/** The grid of polygons or lines; null for another geometry, for rings that aren't closed, and for lines without a way. */
export function createAreaGrid(geometry: Geometry): AreaGrid | null {
  const key = JSON.stringify(geometry);
  const grid = known.has(key) ? (known.get(key) ?? null) : makeGrid(geometry);
  // Those that were asked for last are kept.
  known.delete(key);
  known.set(key, grid);
  for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest);
  return grid;
}

function makeGrid(geometry: Geometry): AreaGrid | null {
  const area = toParts(geometry);
  const bounds = bboxOfGeometry(geometry);
  if (!area || !bounds) return null;
  const isWhole = area.isFilled ? isClosed : (line: readonly Position[]) => line.length > 1;
  return area.parts.every((paths) => paths.every(isWhole)) ? new AreaGrid(area, bounds) : null;
}

function toParts(geometry: Geometry): AreaParts | null {
  switch (geometry.type) {
    case 'Polygon':
      return { parts: [geometry.coordinates], isFilled: true };
    case 'MultiPolygon':
      return { parts: geometry.coordinates, isFilled: true };
    case 'LineString':
      return { parts: [[geometry.coordinates]], isFilled: false };
    case 'MultiLineString':
      return { parts: geometry.coordinates.map((line) => [line]), isFilled: false };
    default:
      return null;
  }
}

function sizeOf(sides: readonly Sides[]): number {
  return sides.reduce((sum, { length }) => sum + length, 0);
}

function toExtent([west, south, east, north]: Bbox, cells: number): Extent {
  // A margin, so that nothing of the boundary is on the rim of the grid.
  const [marginX, marginY] = [(east - west) * 1e-3 + 1e-6, (north - south) * 1e-3 + 1e-6];
  return {
    cells,
    west: west - marginX,
    south: south - marginY,
    cellWidth: (east - west + 2 * marginX) / cells,
    cellHeight: (north - south + 2 * marginY) / cells,
  };
}

function isClosed(ring: readonly Position[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
}

function toSides(paths: readonly Position[][]): Sides {
  return Float64Array.from(
    paths.flatMap((path) =>
      path.slice(1).flatMap(([x = 0, y = 0], index) => {
        const [fromX = 0, fromY = 0] = path[index] ?? [];
        return [fromX, fromY, x, y];
      }),
    ),
  );
}

// Each side is cut at the rows; of a row the cells from the one end of the piece to the other are on the boundary.
function markSides(
  sides: Sides,
  { extent, boundary }: { extent: Extent; boundary: Uint8Array },
): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const { west, south, cellWidth, cellHeight, cells } = extent;
  const slack = cellWidth * 1e-6;
  for (let side = 0; side < sides.length; side += numbersEach) {
    const { x1, y1, x2, y2 } = sideAt(sides, side);
    const fromRow = Math.floor((Math.min(y1, y2) - south) / cellHeight - 1e-6);
    const toRow = Math.floor((Math.max(y1, y2) - south) / cellHeight + 1e-6);
    for (let row = fromRow; row <= toRow; row++) {
      const ofRow = rows.get(row) ?? [];
      ofRow.push(x1, y1, x2, y2);
      rows.set(row, ofRow);
      const bottom = south + row * cellHeight;
      const xAt = (y: number) => x1 + Math.min(1, Math.max(0, (y - y1) / (y2 - y1))) * (x2 - x1);
      const a = y1 === y2 ? x1 : xAt(bottom);
      const b = y1 === y2 ? x2 : xAt(bottom + cellHeight);
      const fromColumn = Math.floor((Math.min(a, b) - slack - west) / cellWidth);
      const toColumn = Math.floor((Math.max(a, b) + slack - west) / cellWidth);
      boundary.fill(
        1,
        row * cells + Math.max(0, fromColumn),
        row * cells + Math.min(cells - 1, toColumn) + 1,
      );
    }
  }
  return rows;
}

// A cell without boundary is where its centre is. Of overlapping polygons one is enough.
function markInside(
  sides: Sides,
  { extent, boundary, inside }: { extent: Extent; boundary: Uint8Array; inside: Uint8Array },
): void {
  const { west, south, cellWidth, cellHeight, cells } = extent;
  for (let row = 0; row < cells; row++) {
    const y = south + (row + 0.5) * cellHeight;
    const crossings = crossAt(sides, y);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const from = Math.ceil(((crossings[pair] ?? 0) - west) / cellWidth - 0.5);
      const to = Math.floor(((crossings[pair + 1] ?? 0) - west) / cellWidth - 0.5);
      for (let column = Math.max(0, from); column <= Math.min(cells - 1, to); column++) {
        const cell = row * cells + column;
        if (boundary[cell] === 0) inside[cell] = 1;
      }
    }
  }
}

// Where the sides are at a latitude, from west to east.
function crossAt(sides: Sides, y: number): number[] {
  const crossings: number[] = [];
  for (let side = 0; side < sides.length; side += numbersEach) {
    const { x1, y1, x2, y2 } = sideAt(sides, side);
    if (y1 > y !== y2 > y) insert(crossings, x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  }
  return crossings;
}

// They are two, mostly, and sorting them makes more than it sorts.
function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  for (; at > 0 && (sorted[at - 1] ?? 0) > value; at--) sorted[at] = sorted[at - 1] ?? 0;
  sorted[at] = value;
}

function sideAt(sides: Sides, side: number): { x1: number; y1: number; x2: number; y2: number } {
  return {
    x1: sides[side] ?? 0,
    y1: sides[side + 1] ?? 0,
    x2: sides[side + 2] ?? 0,
    y2: sides[side + 3] ?? 0,
  };
}

function sumUp(marks: Uint8Array, cells: number): Int32Array {
  const width = cells + 1;
  const sums = new Int32Array(width * width);
  for (let row = 0; row < cells; row++) {
    let ofRow = 0;
    for (let column = 0; column < cells; column++) {
      ofRow += marks[row * cells + column] ?? 0;
      sums[(row + 1) * width + column + 1] = (sums[row * width + column + 1] ?? 0) + ofRow;
    }
  }
  return sums;
}

function countCells(
  sums: Int32Array,
  cells: number,
  { left, bottom, right, top }: { left: number; bottom: number; right: number; top: number },
): number {
  const width = cells + 1;
  const at = (row: number, column: number) => sums[row * width + column] ?? 0;
  return at(top + 1, right + 1) - at(bottom, right + 1) - at(top + 1, left) + at(bottom, left);
}
