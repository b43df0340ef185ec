import type { Geometry } from 'geojson';
import { toFlatGeometry } from '#shared/stac/geometry.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { unreadable } from './aoi-error.ts';
import { checkBracketDepth } from './check-depth.ts';
import type { FoundShape, FoundShapes } from './found-shape.ts';

/**
 * Reads a geometry, a Feature or a FeatureCollection (RFC 7946).
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readGeoJson(text: string): FoundShapes {
  const json = parseJson(text);
  if (!isJsonObject(json)) throw noGeoJson('It is JSON, but no GeoJSON object.');
  checkCrs(json['crs']);
  const features = featuresOf(json);
  const isSingle = features.length === 1;
  const shapes = features.flatMap((feature, index) => {
    const place = isSingle ? '' : `Feature ${String(index + 1)}.`;
    const geometry = geometryOf(feature, place);
    return geometry ? [{ geometry, name: nameOf(feature), place } satisfies FoundShape] : [];
  });
  const emptyCount = features.length - shapes.length;
  return {
    format: 'GeoJSON',
    shapes,
    notes: emptyCount > 0 ? [`${String(emptyCount)} without a geometry left out.`] : [],
    name: typeof json['name'] === 'string' ? json['name'] : null,
  };
}

/**
 * JSON whose brackets don't lie too deep.
 * @throws AppError `aoi.unreadable` with line and column, `aoi.too-large`
 */
export function parseJson(text: string): unknown {
  checkBracketDepth(text);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : '';
    const found = /line (\d+) column (\d+)/.exec(message);
    throw unreadable({
      place: found ? `Line ${found[1] ?? ''}, column ${found[2] ?? ''}.` : '',
      why: /end of JSON|Unterminated/.test(message) ? 'The JSON ends too early.' : 'That is not valid JSON.',
      mend: 'Copy or save it again in one piece.',
    });
  }
}

function featuresOf(json: Record<string, unknown>): unknown[] {
  switch (json['type']) {
    case 'FeatureCollection':
      if (Array.isArray(json['features'])) return json['features'];
      throw noGeoJson('The FeatureCollection has no list of features.');
    case 'Feature':
      return [json];
    case 'Topology':
      throw noGeoJson('It is TopoJSON.');
    default:
      if (json['rings'] ?? json['geometryType']) throw noGeoJson('It is Esri JSON.');
      return [{ type: 'Feature', geometry: json }];
  }
}

function geometryOf(feature: unknown, place: string): Geometry | null {
  const raw = isJsonObject(feature) ? feature['geometry'] : undefined;
  if (raw === null || raw === undefined || isEmpty(raw)) return null;
  const geometry = toFlatGeometry(raw);
  if (geometry) return geometry;
  const type = isJsonObject(raw) && typeof raw['type'] === 'string' ? raw['type'] : null;
  throw unreadable({
    place,
    why:
      type === null ? 'It has no geometry type.' : `Its “${type.slice(0, 40)}” has no readable coordinates.`,
    mend: 'Coordinates are [longitude, latitude]; a ring has four of them or more.',
  });
}

/** RFC 7946 §3.1: empty coordinates may be taken as no geometry. */
function isEmpty(geometry: unknown): boolean {
  const parts = isJsonObject(geometry) ? (geometry['coordinates'] ?? geometry['geometries']) : null;
  return Array.isArray(parts) && parts.length === 0;
}

function nameOf(feature: unknown): string | null {
  const properties = isJsonObject(feature) ? feature['properties'] : null;
  if (!isJsonObject(properties)) return null;
  const name = properties['name'] ?? properties['NAME'] ?? properties['Name'] ?? properties['title'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

/** GeoJSON of before 2016 could name another coordinate system. */
function checkCrs(crs: unknown): void {
  const properties = isJsonObject(crs) ? crs['properties'] : null;
  const name = isJsonObject(properties) ? properties['name'] : null;
  if (typeof name !== 'string' || isWgs84(name)) return;
  throw unreadable({
    why: `Its coordinates are in ${name.slice(0, 60)}.`,
    mend: 'Save it in WGS 84 (EPSG:4326).',
  });
}

function isWgs84(name: string): boolean {
  return /CRS84h?$|EPSG[:/]([\d.]*[:/])?(4326|4979)$|^WGS[ _]?(19)?84$/i.test(name.trim());
}

function noGeoJson(why: string): ReturnType<typeof unreadable> {
  return unreadable({ why, mend: 'Save the area as GeoJSON.' });
}
