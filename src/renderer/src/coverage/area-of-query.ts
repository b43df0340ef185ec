import type { Geometry } from 'geojson';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toBbox } from '#shared/stac/bbox.ts';

/** The area that a question asks about, as one geometry; null when it asks everywhere. Longitudes may go beyond 180. */
export function areaOfQuery({ intersects, bbox }: SearchQuery): Geometry | null {
  if (intersects) return intersects;
  const box = toBbox(bbox);
  if (!box) return null;
  const [west, south, writtenEast, north] = box;
  const east = west > writtenEast ? writtenEast + 360 : writtenEast;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
