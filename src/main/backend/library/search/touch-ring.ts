import type { Bbox } from '#shared/stac/bbox.ts';
import type { RoughRing } from '../columns/footprint-chunk.ts';
import type { AreaGrid, Sides } from './area-grid.ts';
import { verdicts, type Verdict } from './term.ts';

/**
 * Whether a ring, known up to a tolerance, shares a point with polygons or lines. Sure wherever no side of the one comes as
 * near to a side of the other as the tolerance; otherwise the true footprint has to be looked at.
 */
export function touchRing(grid: AreaGrid, ring: RoughRing): Verdict {
  const { xs, ys } = ring;
  const byBounds = compareWithBounds(ring, grid.bounds);
  if (byBounds !== verdicts.unsure) return byBounds;
  const bySides = hasCornerInside(grid, ring) ? verdicts.yes : crossSidesOf(grid, ring);
  if (bySides !== verdicts.no) return bySides;
  // No sides meet: the ring is within a polygon, a polygon or line within the ring, or they are apart.
  if (grid.isFilled && isWithinPolygons(grid, at(xs, 0), at(ys, 0))) return verdicts.yes;
  return grid.corners.some(([x = 0, y = 0]) => isWithinRing(ring, x, y)) ? verdicts.yes : verdicts.no;
}

function hasCornerInside(grid: AreaGrid, { xs, ys, count, tolerance }: RoughRing): boolean {
  for (let corner = 0; corner < count; corner++) {
    const x = at(xs, corner);
    const y = at(ys, corner);
    const relation = grid.relateBox([x - tolerance, y - tolerance, x + tolerance, y + tolerance]);
    if (relation === 'inside') return true;
  }
  return false;
}

function crossSidesOf(grid: AreaGrid, ring: RoughRing): Verdict {
  let verdict: Verdict = verdicts.no;
  for (let corner = 0; corner < ring.count; corner++) {
    const crossing = crossSides(grid, ring, corner);
    if (crossing === verdicts.yes) return crossing;
    if (crossing === verdicts.unsure) verdict = crossing;
  }
  return verdict;
}

// A side that the whole area is beyond parts it from a convex ring; a ring that has it within on all sides holds it.
function compareWithBounds(ring: RoughRing, [west, south, east, north]: Bbox): Verdict {
  const { xs, ys, count } = ring;
  const near = 2 * ring.tolerance;
  const turn = turnOf(ring);
  if (turn === 0) return verdicts.unsure;
  let isAround = true;
  for (let corner = 0; corner < count; corner++) {
    const next = corner + 1 < count ? corner + 1 : 0;
    const x = at(xs, corner);
    const y = at(ys, corner);
    const dx = (at(xs, next) - x) * turn;
    const dy = (at(ys, next) - y) * turn;
    // Of the corners of the bounds, those farthest within and farthest without.
    const most = dx * ((dx > 0 ? north : south) - y) - dy * ((dy > 0 ? west : east) - x);
    const least = dx * ((dx > 0 ? south : north) - y) - dy * ((dy > 0 ? east : west) - x);
    const margin = near * Math.hypot(dx, dy);
    if (most < -margin) return verdicts.no;
    isAround &&= least > margin;
  }
  return isAround ? verdicts.yes : verdicts.unsure;
}

// 1 for a convex ring that turns left, -1 for one that turns right, 0 for another one.
function turnOf({ xs, ys, count }: RoughRing): number {
  let sign = 0;
  for (let corner = 0; corner < count; corner++) {
    const second = (corner + 1) % count;
    const third = (corner + 2) % count;
    const x = at(xs, second);
    const y = at(ys, second);
    const cross = (x - at(xs, corner)) * (at(ys, third) - y) - (y - at(ys, corner)) * (at(xs, third) - x);
    if (cross === 0 || cross * sign < 0) return 0;
    sign = Math.sign(cross);
  }
  // A star turns one way too, but more than once.
  return count <= 4 ? sign : 0;
}

// The side of the ring that begins at a corner, against the sides of the rows that it goes through.
function crossSides(grid: AreaGrid, ring: RoughRing, corner: number): Verdict {
  const near = 2 * ring.tolerance;
  const next = corner + 1 < ring.count ? corner + 1 : 0;
  const own = sideOf(ring, corner, next);
  const [southY, northY] = own.ay < own.by ? [own.ay, own.by] : [own.by, own.ay];
  let verdict: Verdict = verdicts.no;
  for (const row of grid.sidesNear(grid.rowsBetween(southY - near, northY + near))) {
    for (const sides of row) {
      const crossing = crossAny(own, sides, near);
      if (crossing === verdicts.yes) return crossing;
      if (crossing === verdicts.unsure) verdict = crossing;
    }
  }
  return verdict;
}

function crossAny(own: Side, sides: Sides, near: number): Verdict {
  let verdict: Verdict = verdicts.no;
  for (let side = 0; side < sides.length; side += 4) {
    const crossing = crossSide(own, { sides, side }, near);
    if (crossing === verdicts.yes) return crossing;
    if (crossing === verdicts.unsure) verdict = crossing;
  }
  return verdict;
}

interface Side {
  ax: number;
  ay: number;
  bx: number;
  by: number;
  length: number;
}

function sideOf({ xs, ys }: RoughRing, from: number, to: number): Side {
  const ax = at(xs, from);
  const ay = at(ys, from);
  const bx = at(xs, to);
  const by = at(ys, to);
  return { ax, ay, bx, by, length: Math.hypot(bx - ax, by - ay) };
}

function crossSide(own: Side, { sides, side }: { sides: Sides; side: number }, near: number): Verdict {
  const { ax, ay, bx, by, length } = own;
  const cx = at(sides, side);
  const dx = at(sides, side + 2);
  if (Math.max(cx, dx) < Math.min(ax, bx) - near || Math.min(cx, dx) > Math.max(ax, bx) + near)
    return verdicts.no;
  const cy = at(sides, side + 1);
  const dy = at(sides, side + 3);
  if (Math.max(cy, dy) < Math.min(ay, by) - near || Math.min(cy, dy) > Math.max(ay, by) + near)
    return verdicts.no;
  const otherLength = Math.hypot(dx - cx, dy - cy);
  // Distances of the ends of each from the line of the other; not a number where a side has no length.
  const a = ((dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)) / otherLength;
  const b = ((dx - cx) * (by - cy) - (dy - cy) * (bx - cx)) / otherLength;
  const c = ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / length;
  const d = ((bx - ax) * (dy - ay) - (by - ay) * (dx - ax)) / length;
  if (areApart(a, b, near) || areApart(c, d, near)) return verdicts.no;
  return areOpposite(a, b, near) && areOpposite(c, d, near) ? verdicts.yes : verdicts.unsure;
}

function areApart(a: number, b: number, near: number): boolean {
  return (a > near && b > near) || (a < -near && b < -near);
}

function areOpposite(a: number, b: number, near: number): boolean {
  return (a > near && b < -near) || (a < -near && b > near);
}

// By the sides in the point's row. Polygons may overlap, so each is asked by itself.
function isWithinPolygons(grid: AreaGrid, x: number, y: number): boolean {
  const { from, to } = grid.rowsBetween(y, y);
  for (let row = from; row <= to; row++)
    if (grid.sidesOf(row).some((sides) => isWithinSides(sides, x, y))) return true;
  return false;
}

function isWithinSides(sides: Sides, x: number, y: number): boolean {
  let isWithin = false;
  for (let side = 0; side < sides.length; side += 4) {
    const [y1, y2] = [at(sides, side + 1), at(sides, side + 3)];
    if (y1 > y === y2 > y) continue;
    const x1 = at(sides, side);
    if (x < x1 + ((y - y1) / (y2 - y1)) * (at(sides, side + 2) - x1)) isWithin = !isWithin;
  }
  return isWithin;
}

function isWithinRing({ xs, ys, count }: RoughRing, x: number, y: number): boolean {
  let isWithin = false;
  for (let corner = 0; corner < count; corner++) {
    const next = corner + 1 < count ? corner + 1 : 0;
    const [y1, y2] = [at(ys, corner), at(ys, next)];
    if (y1 > y === y2 > y) continue;
    const x1 = at(xs, corner);
    if (x < x1 + ((y - y1) / (y2 - y1)) * (at(xs, next) - x1)) isWithin = !isWithin;
  }
  return isWithin;
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? NaN;
}
