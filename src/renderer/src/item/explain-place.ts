import type { Geometry } from 'geojson';
import { bboxOfGeometry, forEachPosition, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { toFlatGeometry } from '#shared/stac/geometry.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { formatDecimal } from '../format/format-number.ts';

/** Of the size of the footprint: boxes are rounded, and cut along tiles that are a little larger. */
const toleratedShare = 0.1;
const toleratedDegrees = 0.05;

const acrossSentence = 'It crosses the antimeridian (180°).';

/** What is odd about the place of an Item, in sentences; empty when nothing is. */
export function explainPlace(item: Readonly<Partial<StacItem>>): string[] {
  const { geometry: ownGeometry, bbox: ownBox } = item;
  const footprint = toFlatGeometry(ownGeometry);
  const box = toBbox(ownBox);
  const hasFootprint = ownGeometry !== null && ownGeometry !== undefined;
  const hasBox = ownBox !== null && ownBox !== undefined;
  if (!hasFootprint && !hasBox) return ['No footprint and no box: it can’t be shown on the map.'];
  return [
    explainFootprint({ hasFootprint, footprint, box }),
    explainBox({ hasBox, hasFootprint, box }),
    !hasBox && footprint && isCutAcross(footprint) ? acrossSentence : null,
    footprint && explainDegrees(footprint),
    footprint && box && box[1] <= box[3] ? explainDifference(footprint, box) : null,
  ].filter((sentence) => sentence !== null);
}

function explainFootprint(found: {
  hasFootprint: boolean;
  footprint: Geometry | null;
  box: Bbox | null;
}): string | null {
  const { hasFootprint, footprint, box } = found;
  if (footprint) return null;
  const why = hasFootprint ? 'Its footprint can’t be read' : 'No footprint';
  return box ? `${why}: the map shows its box.` : `${why}: it can’t be shown on the map.`;
}

function explainBox(found: { hasBox: boolean; hasFootprint: boolean; box: Bbox | null }): string | null {
  const { hasBox, hasFootprint, box } = found;
  if (!hasBox) return hasFootprint ? 'No box: it is worked out from the footprint.' : null;
  if (!box) return 'Its box can’t be read.';
  if (box[1] > box[3]) return 'Its box is upside down: south is north of north.';
  return box[0] > box[2] ? acrossSentence : null;
}

// As RFC 7946 §3.1.9 has it: one part ends at 180° and another begins at −180°.
function isCutAcross(footprint: Geometry): boolean {
  if (footprint.type !== 'MultiPolygon') return false;
  const boxes = footprint.coordinates.map((coordinates) => bboxOfGeometry({ type: 'Polygon', coordinates }));
  const isNarrow = (box: Bbox | null): box is Bbox => box !== null && box[2] - box[0] < 180;
  return boxes.every(isNarrow) && boxes.some((box) => box[0] === -180) && boxes.some((box) => box[2] === 180);
}

function explainDegrees(footprint: Geometry): string | null {
  // The one that is farthest out stands for all.
  let longitude = 0;
  let latitude = 0;
  forEachPosition(footprint, ([lon = 0, lat = 0]) => {
    if (Math.abs(lon) > Math.abs(longitude)) longitude = lon;
    if (Math.abs(lat) > Math.abs(latitude)) latitude = lat;
  });
  if (Math.abs(latitude) > 90) return `Latitude ${formatDegrees(latitude)} is beyond the pole.`;
  if (Math.abs(longitude) <= 180) return null;
  return `Longitude ${formatDegrees(longitude)} taken as ${formatDegrees(wrap(longitude))}.`;
}

function explainDifference(footprint: Geometry, box: Bbox): string | null {
  const around = boxAround(footprint, box[0] > box[2]);
  if (!around) return null;
  const [west, south, east, north] = box;
  const spread = [west, south, east < west ? east + 360 : east, north];
  const size = Math.max(around[2] - around[0], around[3] - around[1]);
  const tolerance = toleratedDegrees + size * toleratedShare;
  const differs = around.some((edge, index) => Math.abs(edge - (spread[index] ?? edge)) > tolerance);
  return differs ? 'Its box and footprint disagree: the map shows the footprint.' : null;
}

// Across the antimeridian, west is what lies before 180° and east goes on after it.
function boxAround(footprint: Geometry, isAcross: boolean): Bbox | null {
  if (!isAcross) return bboxOfGeometry(footprint);
  const longitudes: number[] = [];
  const latitudes: number[] = [];
  forEachPosition(footprint, ([lon = NaN, lat = NaN]) => {
    longitudes.push(lon < 0 ? lon + 360 : lon);
    latitudes.push(lat);
  });
  if (longitudes.length === 0) return null;
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
  return [least(longitudes), least(latitudes), most(longitudes), most(latitudes)];
}

function wrap(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function formatDegrees(degrees: number): string {
  return `${formatDecimal(degrees, 2).replace('-', '−')}°`;
}
