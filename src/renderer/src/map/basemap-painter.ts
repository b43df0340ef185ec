import type { BasemapLevel, WaterLevel, WorldLine } from './basemap-data.ts';
import { clipRing } from './clip-ring.ts';
import type { WorldBox } from './footprint-set.ts';
import { graticuleLines, graticuleStep } from './graticule.ts';
import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { toLatitude, toLongitude, toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { DETAIL_PX, overlap, shiftedView, traceLines } from './trace-lines.ts';
import { paintWater } from './water-painter.ts';

/** What there is to draw; null where it isn't loaded yet. */
export interface BasemapParts {
  level: BasemapLevel | null;
  water: WaterLevel | null;
}

/** Draws sea, land, inland water, coasts and borders; without data the sea. */
export function paintBasemap(frame: CanvasFrame, { level, water }: BasemapParts, theme: MapTheme): void {
  const { context, width, height, box } = frame;
  context.fillStyle = theme.sea;
  context.fillRect(0, 0, width, height);
  if (!level) return;
  paintLand(frame, level.land, theme.land);
  if (water) paintWater(frame, water, { theme, offsets: worldCopies(box) });
  context.strokeStyle = theme.landLine;
  context.lineJoin = 'round';
  for (const offset of worldCopies(box)) {
    context.lineWidth = 1;
    context.setLineDash([]);
    context.stroke(traceLines(frame, level.coasts, offset));
    context.lineWidth = 0.9;
    context.setLineDash([3, 3]);
    context.stroke(traceLines(frame, level.borders, offset));
  }
  context.setLineDash([]);
}

function paintLand(frame: CanvasFrame, land: readonly WorldLine[], colour: string): void {
  const { context, box, scale, left, top } = frame;
  context.fillStyle = colour;
  for (const offset of worldCopies(box)) {
    const path = new Path2D();
    const view = shiftedView(frame, offset);
    for (const line of land) {
      if (!overlap(line.box, view)) continue;
      const ring = isWithin(line.box, view) ? line.coordinates : clipRing(line.coordinates, view);
      let lastX = NaN;
      let lastY = NaN;
      for (let i = 0; i < ring.length; i += 2) {
        const x = ((ring[i] ?? 0) + offset) * scale - left;
        const y = (ring[i + 1] ?? 0) * scale - top;
        if (i === 0) path.moveTo(x, y);
        else if (Math.abs(x - lastX) < DETAIL_PX && Math.abs(y - lastY) < DETAIL_PX) continue;
        else path.lineTo(x, y);
        lastX = x;
        lastY = y;
      }
      path.closePath();
    }
    context.fill(path, 'evenodd');
  }
}

/** Draws the graticule over whatever map there is. */
export function paintGraticule(frame: CanvasFrame, theme: MapTheme): void {
  const { context, box, scale, left, top, width, height, zoom } = frame;
  const step = graticuleStep(zoom);
  context.beginPath();
  for (const longitude of graticuleLines(toLongitude(box.minX), toLongitude(box.maxX), step)) {
    const x = Math.round(toWorldX(longitude) * scale - left) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (const latitude of graticuleLines(toLatitude(box.maxY), toLatitude(box.minY), step)) {
    const y = Math.round(toWorldY(latitude) * scale - top) + 0.5;
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.lineWidth = 1;
  context.globalAlpha = 0.32;
  context.strokeStyle = theme.landLine;
  context.stroke();
  context.globalAlpha = 1;
}

/** The copies of the world in view; one more at each side, because land across the antimeridian reaches beyond its own. */
function worldCopies(box: WorldBox): number[] {
  const first = Math.floor(box.minX) - 1;
  return Array.from({ length: Math.floor(box.maxX) + 2 - first }, (_, i) => first + i);
}

function isWithin(inner: WorldBox, outer: WorldBox): boolean {
  return (
    inner.minX >= outer.minX &&
    inner.maxX <= outer.maxX &&
    inner.minY >= outer.minY &&
    inner.maxY <= outer.maxY
  );
}
