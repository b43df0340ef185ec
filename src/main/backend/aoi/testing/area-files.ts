import { strToU8 } from 'fflate';
import { isAppError } from '#shared/errors/app-error.ts';
import type { AreaReading } from '#shared/geo/area-reading.ts';
import { areaKm2OfGeometry } from '#shared/geo/measure-area.ts';
import { readFile } from '../read-file.ts';

/** A square degree, anticlockwise. */
export const outline = [
  [4, 50],
  [5, 50],
  [5, 51],
  [4, 51],
  [4, 50],
] as const;
/** Within the outline, clockwise. */
export const hole = [
  [4.4, 50.4],
  [4.4, 50.6],
  [4.6, 50.6],
  [4.6, 50.4],
  [4.4, 50.4],
] as const;
/** Outline and hole as GeoJSON. */
export const polygon = { type: 'Polygon', coordinates: [outline, hole] };
/** Square kilometres of the polygon. */
export const kmOfPolygon = areaKm2OfGeometry({
  type: 'Polygon',
  coordinates: [outline, hole].map((ring) => ring.map((p) => [...p])),
});
/** A ring as KML writes it. */
export const coordinatesOf = (ring: readonly (readonly [number, number])[]): string =>
  ring.map((p) => `${p.join()},0`).join(' ');
/** The polygon in KML. */
export const placemark = `<Placemark><name>Côte</name><Polygon>
  <outerBoundaryIs><LinearRing><coordinates>${coordinatesOf(outline)}</coordinates></LinearRing></outerBoundaryIs>
  <innerBoundaryIs><LinearRing><coordinates>${coordinatesOf(hole)}</coordinates></LinearRing></innerBoundaryIs>
</Polygon></Placemark>`;
/** A KML document around its content. */
export const kml = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;
/** A .prj of UTM 31N as ArcGIS writes it. */
export const utm31 =
  'PROJCS["WGS_1984_UTM_Zone_31N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
/** The outline as Shapefiles have it. */
export const clockwise = [...outline].toReversed();

/** The first reading of a file. */
export function read(content: string | Uint8Array, name = 'some file.dat'): AreaReading {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  const [reading] = readFile({ name, bytes }).readings;
  if (!reading) throw new Error('nothing was read');
  return reading;
}

/** Square kilometres of a reading. */
export function kmOf({ area }: AreaReading): number {
  return area.kind === 'shape' ? areaKm2OfGeometry(area.geometry) : NaN;
}

/** Code and details with which a file is refused. */
export function refusal(content: string | Uint8Array): Record<string, unknown> {
  try {
    read(content);
  } catch (thrown) {
    if (isAppError(thrown)) return { code: thrown.code, ...thrown.details };
    throw thrown;
  }
  throw new Error('it was read');
}
