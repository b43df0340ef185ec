import type { Geometry } from 'geojson';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { FootprintSet } from './footprint-set.ts';
import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { toWorldX, toWorldY } from './mercator.ts';
import { distanceToLine } from './rings.ts';

/** The area of interest, ready to be drawn and pointed at. */
export class AreaShape {
  readonly geometry: Geometry;
  readonly #set: FootprintSet;

  constructor(geometry: Geometry) {
    this.geometry = geometry;
    this.#set = new FootprintSet([{ footprint: geometry as ItemRow['footprint'], bbox: null }]);
  }

  /** Draws the outline, dashed over a casing. */
  paint(frame: CanvasFrame, theme: MapTheme): void {
    const { context } = frame;
    const path = new Path2D();
    for (const { offset } of this.#set.findVisible(frame.box)) this.#trace(frame, offset, path);
    context.lineJoin = 'round';
    context.globalAlpha = 0.8;
    context.strokeStyle = theme.surface;
    context.lineWidth = 4.5;
    context.stroke(path);
    context.globalAlpha = 1;
    context.strokeStyle = theme.aoi;
    context.lineWidth = 2;
    context.setLineDash([7, 4.5]);
    context.stroke(path);
    context.setLineDash([]);
  }

  /** Whether a point is on the outline, give or take `tolerance` world units. */
  isOnOutline({ longitude, latitude }: { longitude: number; latitude: number }, tolerance: number): boolean {
    const x = toWorldX(longitude);
    const y = toWorldY(latitude);
    return this.#set.partsOf(0).some(({ from, to }) => {
      const ring = this.#set.coordinates.subarray(from, to);
      return distanceToLine(ring, x, y) <= tolerance;
    });
  }

  #trace({ scale, left, top }: CanvasFrame, offset: number, path: Path2D): void {
    const { coordinates } = this.#set;
    for (const { from, to } of this.#set.partsOf(0)) {
      for (let i = from; i < to; i += 2) {
        const x = ((coordinates[i] ?? 0) + offset) * scale - left;
        const y = (coordinates[i + 1] ?? 0) * scale - top;
        if (i === from || this.#set.isCut(0, i)) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
    }
  }
}
