import type { Geometry, Position } from 'geojson';
import type { ItemRow } from '#shared/stac/item-row.ts';
import { FootprintSet } from './footprint-set.ts';
import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { distanceToLine } from './rings.ts';

const POINT_RADIUS_PX = 8;

/** The area of interest, ready to be drawn and pointed at. */
export class AreaShape {
  readonly geometry: Geometry;
  readonly #set: FootprintSet;
  /** Points and the corners of lines in world units: what a geometry has that encloses nothing. */
  readonly #lines: readonly (readonly [x: number, y: number][])[];

  constructor(geometry: Geometry) {
    this.geometry = geometry;
    this.#set = new FootprintSet([{ footprint: geometry as ItemRow['footprint'], bbox: null }]);
    this.#lines = linesOf(geometry);
  }

  /** Draws the outline, dashed over a casing. */
  paint(frame: CanvasFrame, theme: MapTheme): void {
    const { context } = frame;
    const path = new Path2D();
    for (const { offset } of this.#set.findVisible(frame.box)) this.#trace(frame, offset, path);
    for (const offset of [-1, 0, 1]) this.#traceLines(frame, offset, path);
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

  /** A point is a ring of the size of a handle around it. */
  #traceLines({ scale, left, top }: CanvasFrame, offset: number, path: Path2D): void {
    for (const line of this.#lines) {
      line.forEach(([worldX, worldY], index) => {
        const x = (worldX + offset) * scale - left;
        const y = worldY * scale - top;
        if (line.length === 1) {
          path.moveTo(x + POINT_RADIUS_PX, y);
          path.arc(x, y, POINT_RADIUS_PX, 0, 2 * Math.PI);
        } else if (index === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      });
    }
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

function linesOf(geometry: Geometry): [x: number, y: number][][] {
  switch (geometry.type) {
    case 'Point':
      return [[toWorld(geometry.coordinates)]];
    case 'MultiPoint':
      return geometry.coordinates.map((position) => [toWorld(position)]);
    case 'LineString':
      return [geometry.coordinates.map(toWorld)];
    case 'MultiLineString':
      return geometry.coordinates.map((line) => line.map(toWorld));
    case 'GeometryCollection':
      return geometry.geometries.flatMap(linesOf);
    default:
      return [];
  }
}

function toWorld([longitude = 0, latitude = 0]: Position): [x: number, y: number] {
  return [toWorldX(longitude), toWorldY(latitude)];
}
