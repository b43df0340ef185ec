import type { Geometry } from 'geojson';
import { uniteBboxes } from '#shared/geo/unite-bboxes.ts';
import { bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';
import { toRfc7946 } from '../rfc7946-geometry.ts';

/** Farther than once more around the globe nothing is drawn by intent. */
export const maxLongitude = 540;

/**
 * A footprint that goes on beyond ±180 where it crosses the antimeridian, as some programs draw it, cut there (RFC 7946
 * §3.1.9), with its box: no question asks for longitudes beyond. Null for any other.
 */
export function bringHome(footprint: Geometry): { geometry: Geometry; bbox: Bbox | null } | null {
  const around = bboxOfGeometry(footprint);
  if (!around) return null;
  const [west, south, east, north] = around;
  const isAtHome = west >= -180 && east <= 180;
  const isAstray = west < -maxLongitude || east > maxLongitude || south < -90 || north > 90;
  return isAtHome || isAstray ? null : { geometry: toRfc7946(footprint), bbox: uniteBboxes([around]) };
}
