import type { Geometry, Position } from 'geojson';
import { forEachPosition } from '#shared/stac/bbox.ts';
import { tooLarge, unreadable } from './aoi-error.ts';
import type { FoundShape } from './found-shape.ts';
import { aoiLimits } from './limits.ts';

// Some programs go on beyond ±180 where an area crosses the antimeridian; a turn and a half is always enough.
const maxLongitude = 540;

/**
 * Sees that every position is one on the globe, and that there aren't too many.
 * @throws AppError `aoi.unreadable` naming the position, `aoi.too-large`
 */
export function checkShapes(shapes: readonly FoundShape[]): void {
  let count = 0;
  for (const { geometry, place } of shapes) {
    let index = 0;
    forEachPosition(geometry, (position) => {
      index += 1;
      if (!isOnGlobe(position)) throw offGlobe(position, [place, `Position ${String(index)}.`]);
    });
    count += index;
  }
  if (count > aoiLimits.vertices) {
    throw tooLarge({
      why: `It has ${count.toLocaleString('en-GB')} vertices; ${aoiLimits.vertices.toLocaleString('en-GB')} can be read.`,
      mend: 'Simplify it in the program it is from, or save only a part.',
    });
  }
}

/** Whether the numbers only make sense as latitude before longitude. */
export function arePositionsSwapped(shapes: readonly FoundShape[]): boolean {
  let [maxFirst, maxSecond] = [0, 0];
  for (const { geometry } of shapes) {
    forEachPosition(geometry, ([first = NaN, second = NaN]) => {
      maxFirst = Math.max(maxFirst, Math.abs(first));
      maxSecond = Math.max(maxSecond, Math.abs(second));
    });
  }
  return maxFirst <= 90 && maxSecond > 90 && maxSecond <= 180;
}

/** The same shapes with the two numbers of each position exchanged. */
export function swapShapes(shapes: readonly FoundShape[]): FoundShape[] {
  return shapes.map((shape) => ({ ...shape, geometry: swapGeometry(shape.geometry) }));
}

function swapGeometry(geometry: Geometry): Geometry {
  if (geometry.type === 'GeometryCollection') {
    return { ...geometry, geometries: geometry.geometries.map(swapGeometry) };
  }
  return { ...geometry, coordinates: swapNested(geometry.coordinates) } as Geometry;
}

type Nested = number | Nested[];

function swapNested(nested: Nested): Nested {
  if (!Array.isArray(nested)) return nested;
  const [first, second, ...others] = nested;
  if (typeof first === 'number' && typeof second === 'number') return [second, first, ...others];
  return nested.map(swapNested);
}

function isOnGlobe([longitude = NaN, latitude = NaN]: Position): boolean {
  return Math.abs(latitude) <= 90 + 1e-6 && Math.abs(longitude) <= maxLongitude;
}

function offGlobe([x = NaN, y = NaN]: Position, places: string[]): ReturnType<typeof unreadable> {
  const isMetres = Math.abs(x) < 2.1e7 && Math.abs(y) < 2.1e7 && Math.max(Math.abs(x), Math.abs(y)) > 1000;
  return unreadable({
    place: places.filter((place) => place !== '').join(' '),
    why: `${shorten(x)}, ${shorten(y)} is not a longitude and a latitude in degrees.`,
    mend: isMetres
      ? 'They look like metres of a projected system: save it in WGS 84 (EPSG:4326).'
      : 'Longitudes go from -180 to 180, latitudes from -90 to 90.',
  });
}

function shorten(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(9)).toString() : String(value);
}
