import { areaKm2OfBbox, areaKm2OfGeometry } from '#shared/geo/measure-area.ts';
import { flatBox } from '#shared/geo/box-geometry.ts';
import { countVertices, polygonsOf } from '#shared/geo/polygons-of.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatArea } from '../format/format-place.ts';
import type { DraftArea } from '../state/draft-area.ts';

const origins = {
  rectangle: 'Drawn box',
  polygon: 'Drawn polygon',
  typed: 'Typed area',
  file: 'Area of a file',
  saved: 'Kept area',
  json: 'Area of the request',
} as const;

/** What an area is called: by its name, else by where it came from. */
export function nameOfArea(area: DraftArea): string {
  switch (area.kind) {
    case 'everywhere':
      return 'Everywhere';
    case 'view':
      return 'The map’s view';
    case 'box':
      return area.name ?? 'Box';
    case 'shape':
      return area.name ?? (area.geometry.type === 'Point' ? 'Point' : origins[area.origin]);
  }
}

/** How large an area is: `41,260 km² · 7 vertices`; empty for everywhere and for a point. */
export function sizeOfArea(area: DraftArea, view: Bbox | null): string {
  if (area.kind === 'box') return formatArea(areaKm2OfBbox(flatBox(area.bbox)));
  if (area.kind === 'view') return view ? formatArea(areaKm2OfBbox(view)) : '';
  if (area.kind === 'everywhere' || area.geometry.type === 'Point') return '';
  const vertices = formatPlural(countVertices(area.geometry), 'vertex', 'vertices');
  if (polygonsOf(area.geometry).length === 0) return vertices;
  const size = formatArea(areaKm2OfGeometry(area.geometry));
  return area.origin === 'rectangle' ? size : `${size} · ${vertices}`;
}
