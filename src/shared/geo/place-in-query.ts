import type { SearchQuery } from '../search/search-query.ts';
import { geometrySchema } from '../stac/geometry.ts';
import { flatBox, geometryOfBox, type BoxNumbers } from './box-geometry.ts';

/** The members of a question that say where. */
export type QueryPlace = Pick<SearchQuery, 'bbox' | 'intersects'>;

/**
 * A box as members of a question. Servers read a box with west > east as one around the other side of the globe, so a
 * box across the antimeridian goes as its two halves.
 */
export function placeOfBox(bbox: BoxNumbers): QueryPlace {
  const flat = flatBox(bbox);
  if (flat[0] > flat[2]) return { intersects: geometrySchema.parse(geometryOfBox(flat)) };
  return { bbox: bbox.length === 4 ? [...bbox] : [...bbox] };
}
