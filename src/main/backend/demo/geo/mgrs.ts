import { fromUtm, toUtm, utmZoneAt, type UtmZone } from './utm.ts';

const bandLetters = 'CDEFGHJKLMNPQRSTUVWX';
const columnSets = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'] as const;
const rowLetters = 'ABCDEFGHJKLMNPQRSTUV';

/** Side of an optical tile in metres: a 100 km square of the military grid and its overlap to the east and south. */
export const tileSizeM = 109_800;

/** A tile of the grid that Sentinel-2 products are cut into. */
export interface MgrsTile {
  /** Zone, latitude band and square, as `31UFP`. */
  name: string;
  zone: UtmZone;
  latitudeBand: string;
  square: string;
  /** Upper left corner in metres of the zone. Lies on the 60 m pixel grid, hence a few metres off the square's own. */
  upperLeftM: readonly [easting: number, northing: number];
}

/** The tile whose square holds a place. Null poleward of the grid (80° S, 84° N). */
export function mgrsTileAt(lon: number, lat: number): MgrsTile | null {
  if (lat < -80 || lat >= 84) return null;
  const zone = utmZoneAt(lon, lat);
  const [easting, northing] = toUtm(zone, lon, lat);
  const column = Math.floor(easting / 100_000);
  const row = Math.floor(northing / 100_000);
  // A square across the edge of a band goes by its middle.
  const [, middleLat] = fromUtm(zone, (column + 0.5) * 100_000, (row + 0.5) * 100_000);
  const latitudeBand = bandLetters.charAt(Math.min(19, Math.max(0, Math.floor((middleLat + 80) / 8))));
  const columns = columnSets[(zone.number - 1) % 3] ?? columnSets[0];
  // Rows of even zones begin at F, so that neighbours across a zone edge differ.
  const rowShift = zone.number % 2 === 0 ? 5 : 0;
  const square = columns.charAt(column - 1) + rowLetters.charAt((row + rowShift) % 20);
  return {
    name: `${String(zone.number).padStart(2, '0')}${latitudeBand}${square}`,
    zone,
    latitudeBand,
    square,
    upperLeftM: [Math.floor((column * 100_000) / 60) * 60, Math.ceil(((row + 1) * 100_000) / 60) * 60],
  };
}
