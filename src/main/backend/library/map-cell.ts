import type { Database } from 'better-sqlite3';
import type { Bbox } from '#shared/stac/bbox.ts';

/** Levels for boxes of up to 180 degrees a side, half of that, and so on; the last for those of up to a third of one. */
const lastLevel = 10;
/** A cell is half as wide and high as the largest boxes of its level: with larger ones, more that is found isn't near. */
const cellsPerBox = 2;
/** The number of a cell: its level, then its row, then its column. */
const levelStep = 2 ** 21;
const rowStep = 2 ** 11;
/** Belts around the world are cells too, on levels of their own, for boxes wider than half of it. */
const firstBeltLevel = lastLevel;
/** For boxes that aren't on the map. */
const elsewhere = 0;
/** Centres are rounded when they are computed, degrees. */
const roundingSlack = 1e-9;

/** Numbers of cells, both ends included. */
export interface CellRange {
  from: number;
  to: number;
}

/**
 * The cell that a box is filed under: of the level for boxes of its size, the one that its centre is in (a loose quadtree).
 * So an index on one number finds boxes of all sizes, and one that crosses the antimeridian needs no second entry.
 */
export function cellOf([west, south, east, north]: Bbox): number {
  const isOnMap =
    Math.abs(west) <= 180 && Math.abs(east) <= 180 && -90 <= south && south <= north && north <= 90;
  if (!isOnMap) return elsewhere;
  const width = west <= east ? east - west : east - west + 360;
  const height = north - south;
  const middle = (south + north) / 2;
  if (width > 180) {
    const belt = levelOf(height);
    return (firstBeltLevel + belt) * levelStep + rowAt(belt, middle);
  }
  const level = levelOf(Math.max(width, height));
  const column = Math.floor(((west + width / 2 + 180) % 360) / cellDegrees(level));
  return level * levelStep + rowAt(level, middle) * rowStep + column;
}

/** Lets SQL ask for the cell of a box: `cell_of(west, south, east, north)`. */
export function addCellFunction(database: Database): void {
  const ofSides = (...sides: unknown[]): number => cellOf(sides as [...Bbox]);
  database.function('cell_of', { deterministic: true, varargs: true }, ofSides);
}

/** The numbers of each level's cells: first that of what isn't on the map, then the levels of cells, then those of belts. */
export const cellLevels: readonly CellRange[] = Array.from(
  { length: firstBeltLevel + lastLevel + 1 },
  (_, level) => ({ from: level * levelStep, to: (level + 1) * levelStep - 1 }),
);

/**
 * The cells of all boxes that may touch one of some, none of which crosses the antimeridian. In order. Levels of
 * `cellLevels` that aren't in use are left out.
 */
export function cellsNear(
  boxes: readonly Bbox[],
  isInUse: (level: CellRange) => boolean = () => true,
): CellRange[] {
  const ranges: CellRange[] = [];
  for (const [level, all] of cellLevels.entries())
    if (isInUse(all)) for (const box of boxes) ranges.push(...rangesOf(level, box));
  return joinOverlapping(ranges);
}

function rangesOf(level: number, [west, south, east, north]: Bbox): CellRange[] {
  if (level === 0) return [{ from: elsewhere, to: elsewhere }];
  const isBelt = level > firstBeltLevel;
  const size = isBelt ? level - firstBeltLevel : level;
  const reach = boxDegrees(size) / 2 + roundingSlack;
  const [firstRow, lastRow] = [rowAt(size, south - reach), rowAt(size, north + reach)];
  const start = level * levelStep;
  if (isBelt) return [{ from: start + firstRow, to: start + lastRow }];
  const first = Math.floor((west - reach + 180) / cellDegrees(level));
  const last = Math.floor((east + reach + 180) / cellDegrees(level));
  const columns = aroundTheWorld(first, last, 360 / cellDegrees(level));
  // Row by row, because the cells of a row have numbers in a row.
  return Array.from(
    { length: lastRow - firstRow + 1 },
    (_, index) => start + (firstRow + index) * rowStep,
  ).flatMap((row) => columns.map(([from, to]) => ({ from: row + from, to: row + to })));
}

function aroundTheWorld(first: number, last: number, count: number): [first: number, last: number][] {
  if (last - first + 1 >= count) return [[0, count - 1]];
  const from = ((first % count) + count) % count;
  const to = from + last - first;
  if (to < count) return [[from, to]];
  return [
    [0, to - count],
    [from, count - 1],
  ];
}

// Boxes beside each other have cells in common.
function joinOverlapping(ranges: readonly CellRange[]): CellRange[] {
  const apart: CellRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

function levelOf(degrees: number): number {
  let level = lastLevel;
  while (level > 1 && degrees > boxDegrees(level)) level -= 1;
  return level;
}

function boxDegrees(level: number): number {
  return 360 / 2 ** level;
}

function cellDegrees(level: number): number {
  return boxDegrees(level) / cellsPerBox;
}

// Beyond the poles there are no rows; the north pole is the end of the last one.
function rowAt(level: number, latitude: number): number {
  const rowCount = 180 / cellDegrees(level);
  return Math.min(Math.max(Math.floor((latitude + 90) / cellDegrees(level)), 0), rowCount - 1);
}
