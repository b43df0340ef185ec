import type { AreaReading } from '#shared/geo/area-reading.ts';
import { formatBox, formatPosition } from '#shared/geo/format-position.ts';
import { normaliseArea } from '#shared/geo/normalise-area.ts';
import { roundDegrees, type Corner } from '#shared/geo/open-ring.ts';
import { unreadable } from './aoi-error.ts';
import { boxAround } from './box-around.ts';
import { countWords } from './count-words.ts';
import { describeChanges } from './to-readings.ts';

/**
 * Points that were typed: one is a point, two are corners of a box, more are corners of a polygon.
 * @throws AppError `aoi.unreadable`
 */
export function pointsToReading(points: readonly Corner[], prefix = ''): AreaReading {
  const [first, second] = points;
  if (!first) throw unreadable({ why: 'There is no point.', mend: 'Type a latitude and a longitude.' });
  const [longitude, latitude] = [roundDegrees(first[0]), roundDegrees(first[1])];
  const begin = `${prefix}${formatPosition(longitude, latitude)}`;
  if (!second) {
    const geometry = { type: 'Point' as const, coordinates: [longitude, latitude] };
    return { words: begin, area: { kind: 'shape', geometry }, name: null, notes: [] };
  }
  if (points.length === 2) {
    const [west, south, east, north] = boxAround(points);
    return {
      words: `${prefix}box between two corners, ${formatBox([west, south, east, north])}`,
      area: { kind: 'box', bbox: [west, south, east, north] },
      name: null,
      notes: [],
    };
  }
  const taken = normaliseArea([[points]]);
  if (!taken) {
    throw unreadable({
      why: 'The points lie on one line and enclose nothing.',
      mend: 'Give three corners or more that don’t.',
    });
  }
  const geometry = taken.geometry as Extract<AreaReading['area'], { kind: 'shape' }>['geometry'];
  return {
    words: `${prefix}polygon of ${countWords(points.length, 'corner')} from ${formatPosition(longitude, latitude)}`,
    area: { kind: 'shape', geometry },
    name: null,
    notes: describeChanges(taken),
  };
}
