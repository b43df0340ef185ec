import type { RasterFrame } from '../files/raster-frame.ts';

/** Whether a pixel has data: lies inside one of the convex outlines, with half a pixel of tolerance. */
export function openOutline(
  frame: RasterFrame,
  outlines: readonly (readonly (readonly [x: number, y: number])[])[],
): (column: number, row: number) => boolean {
  const parts = outlines.map((outline) => halfPlanes(outline, frame));
  return (column, row) => {
    for (const planes of parts) if (isInsideAll(planes, column, row)) return true;
    return false;
  };
}

function isInsideAll(planes: readonly HalfPlane[], column: number, row: number): boolean {
  for (const plane of planes) if (plane[0] * column + plane[1] * row + plane[2] < -1.2) return false;
  return true;
}

type HalfPlane = readonly [a: number, b: number, c: number];

/** For each edge the distance from it in pixels, positive inside. */
function halfPlanes(outline: readonly (readonly [number, number])[], frame: RasterFrame): HalfPlane[] {
  const corners = outline.map(
    ([x, y]) => [(x - frame.left) / frame.pixelSize - 0.5, (frame.top - y) / frame.pixelSize - 0.5] as const,
  );
  const middleX = corners.reduce((sum, [x]) => sum + x, 0) / corners.length;
  const middleY = corners.reduce((sum, [, y]) => sum + y, 0) / corners.length;
  const planes: HalfPlane[] = [];
  for (let i = 0; i + 1 < corners.length; i += 1) {
    const [from, to] = [corners[i] ?? [0, 0], corners[i + 1] ?? [0, 0]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1e-6) continue;
    const [a, b] = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
    const c = -(a * from[0] + b * from[1]);
    const sign = a * middleX + b * middleY + c < 0 ? -1 : 1;
    planes.push([a * sign, b * sign, c * sign]);
  }
  return planes;
}
