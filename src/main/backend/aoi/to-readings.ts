import type { Geometry, Position } from 'geojson';
import type { AreaReading, AreaReadings } from '#shared/geo/area-reading.ts';
import { formatBox, formatPosition } from '#shared/geo/format-position.ts';
import { normaliseArea, type NormalisedArea } from '#shared/geo/normalise-area.ts';
import { roundDegrees, toCorners } from '#shared/geo/open-ring.ts';
import { countVertices, polygonsOf, type Rings } from '#shared/geo/polygons-of.ts';
import { hasLongSide } from '#shared/geo/unwrap-corners.ts';
import { forEachPosition, type Bbox } from '#shared/stac/bbox.ts';
import { unreadable } from './aoi-error.ts';
import { boxAround } from './box-around.ts';
import { arePositionsSwapped, checkShapes, swapShapes } from './check-positions.ts';
import { countWords } from './count-words.ts';
import type { FoundShape, FoundShapes } from './found-shape.ts';

interface ReadingOptions {
  /** Of a file without polygons the box around what it holds is taken; what was typed is asked as it is. */
  isFile: boolean;
}

/**
 * What was found, as an area.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function toReadings(found: FoundShapes, { isFile }: ReadingOptions): AreaReadings {
  // GPX says which number is the latitude.
  const isSwapped = found.format !== 'GPX' && arePositionsSwapped(found.shapes);
  const shapes = isSwapped ? swapShapes(found.shapes) : found.shapes;
  checkShapes(shapes);
  const notes = [
    ...found.notes,
    ...(isSwapped ? ['Latitude stood before longitude; they were swapped.'] : []),
  ];
  const polygons = shapes.flatMap(({ geometry }) => polygonsOf(geometry));
  const name = nameOfAll(found, shapes);
  if (polygons.length > 0) return readPolygons({ ...found, shapes, notes, name }, polygons);
  const [only, second] = shapes;
  if (!only)
    throw unreadable({ why: `The ${found.format} holds no geometry.`, mend: 'Add a polygon to it.' });
  const isAsked = !second && (!isFile || only.geometry.type === 'Point');
  const reading = isAsked ? readAsItIs(found.format, only) : readBoxAround(found.format, shapes);
  return { readings: [{ ...reading, name, notes: [...notes, ...reading.notes] }], mustAsk: false };
}

function readPolygons(found: FoundShapes, polygons: readonly Rings[]): AreaReadings {
  const taken = normaliseArea(polygons);
  if (!taken) {
    throw unreadable({
      place: found.shapes[0]?.place ?? '',
      why: 'Its polygon encloses nothing.',
      mend: 'It needs three corners that don’t lie on one line.',
    });
  }
  const readings = [toReading(found, polygons, taken)];
  if (
    !taken.changes.isAroundPole &&
    polygons.some((rings) => rings.some((ring) => hasLongSide(toCorners(ring))))
  ) {
    const literal = normaliseArea(polygons, { isContinuous: true });
    if (literal) {
      const reading = toReading(found, polygons, literal);
      readings.push({ ...reading, words: `${reading.words}, the long way around the globe` });
    }
  }
  return { readings, mustAsk: false };
}

function toReading(found: FoundShapes, polygons: readonly Rings[], taken: NormalisedArea): AreaReading {
  const { format, shapes, name, notes } = found;
  const otherCount = shapes.filter(({ geometry }) => polygonsOf(geometry).length === 0).length;
  const said =
    polygons.length === 1
      ? `a polygon of ${countWords(countVertices(taken.geometry), 'corner')}`
      : countWords(polygons.length, 'polygon');
  return {
    words: `${format}: ${said}`,
    area: { kind: 'shape', geometry: asSchemaGeometry(taken.geometry) },
    name,
    notes: [
      ...notes,
      ...(otherCount > 0
        ? [
            `${countWords(otherCount, 'point or line', 'points or lines')} left out: only polygons make an area.`,
          ]
        : []),
      ...describeChanges(taken),
    ],
  };
}

/** What was done to polygons, in sentences. */
export function describeChanges({ changes }: NormalisedArea): string[] {
  return [
    ...(changes.dissolvedCount > 0 ? ['Polygons that overlap or touch were joined.'] : []),
    ...(changes.isAroundPole ? ['It lies around a pole and was closed there.'] : []),
    ...(changes.isCut ? ['It crosses the antimeridian and was cut there for the catalog.'] : []),
    ...(changes.emptyRingCount > 0
      ? [`${countWords(changes.emptyRingCount, 'ring')} without any area left out.`]
      : []),
  ];
}

function readAsItIs(format: string, { geometry }: FoundShape): AreaReading {
  const rounded = roundGeometry(geometry);
  const words =
    rounded.type === 'Point'
      ? formatPosition(rounded.coordinates[0] ?? 0, rounded.coordinates[1] ?? 0)
      : `${format}: ${describeKind(rounded)}`;
  return {
    words,
    area: { kind: 'shape', geometry: asSchemaGeometry(rounded) },
    name: null,
    notes: rounded.type === 'Point' ? [] : ['It encloses nothing: images that it touches are found.'],
  };
}

function readBoxAround(format: string, shapes: readonly FoundShape[]): AreaReading {
  const positions: Position[] = [];
  for (const { geometry } of shapes) forEachPosition(geometry, (position) => positions.push(position));
  const box: Bbox = boxAround(positions);
  const [west, south, east, north] = box;
  const kinds = countWords(shapes.length, 'point or line', 'points or lines');
  if (west === east && south === north) {
    return readAsItIs(format, {
      geometry: { type: 'Point', coordinates: [west, south] },
      name: null,
      place: '',
    });
  }
  return {
    words: `${format}: ${formatBox(box)}`,
    area: { kind: 'box', bbox: [west, south, east, north] },
    name: null,
    notes: [`It holds ${kinds} and no polygon, so the box around them was taken.`],
  };
}

function nameOfAll(found: FoundShapes, shapes: readonly FoundShape[]): string | null {
  const names = new Set(shapes.map(({ name }) => name));
  const [only] = names;
  return (names.size === 1 ? only : null) ?? found.name;
}

function describeKind(geometry: Geometry): string {
  return geometry.type.startsWith('Multi') || geometry.type === 'GeometryCollection'
    ? 'points or lines'
    : `a line of ${countWords(countVertices(geometry), 'point')}`;
}

function roundGeometry(geometry: Geometry): Geometry {
  return JSON.parse(
    JSON.stringify(geometry, (_key, value: unknown) =>
      typeof value === 'number' ? roundDegrees(value) : value,
    ),
  ) as Geometry;
}

// Geometries of parsers and of the schema differ only in that the latter may have further members.
function asSchemaGeometry(geometry: Geometry): Extract<AreaReading['area'], { kind: 'shape' }>['geometry'] {
  return geometry as Extract<AreaReading['area'], { kind: 'shape' }>['geometry'];
}
