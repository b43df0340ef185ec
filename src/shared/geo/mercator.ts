/**
 * Web Mercator in world units: x and y run from 0 to 1 across the whole world, y downwards. Leaflet's pixels at a zoom
 * are these times `worldSizePx(zoom)`, so one projection serves every zoom.
 */

/** Beyond this the projection has no square world; everything is drawn up to here. */
export const MAX_LATITUDE = 85.0511287798066;

/** World units from degrees; longitudes beyond ±180 go on into the next copy of the world. */
export function toWorldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** World units from degrees, latitude clamped to the projection's edge. */
export function toWorldY(latitude: number): number {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Degrees from world units. */
export function toLongitude(worldX: number): number {
  return (worldX - 0.5) * 360;
}

/** Degrees from world units. */
export function toLatitude(worldY: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * worldY))) * 180) / Math.PI;
}

/** Width of one world in CSS pixels. */
export function worldSizePx(zoom: number): number {
  return 256 * 2 ** zoom;
}

/** The same longitude within -180..180; 180 stays 180. */
export function wrapLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
