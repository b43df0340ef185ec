import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { toGeometry } from '#shared/stac/geometry.ts';
import { isJsonObject } from '#shared/stac/json.ts';

type SearchGeometry = NonNullable<SearchQuery['intersects']>;

/**
 * The geometry of a GeoJSON file, or of standard input for `-`: a geometry, a Feature, or a FeatureCollection of one.
 * @throws AppError `input.invalid`
 */
export async function readIntersects(source: string): Promise<SearchGeometry> {
  const content = await readSource(source);
  let json: unknown;
  try {
    json = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid(`${nameOf(source)} is not JSON`);
  }
  const geometry = toGeometry(findGeometry(json, source));
  if (!geometry) throw invalid(`${nameOf(source)} holds no GeoJSON geometry that can be read`);
  return geometry as SearchGeometry;
}

function findGeometry(json: unknown, source: string): unknown {
  if (!isJsonObject(json)) return null;
  if (json['type'] === 'Feature') return json['geometry'];
  if (json['type'] !== 'FeatureCollection') return json;
  const features = Array.isArray(json['features']) ? (json['features'] as unknown[]) : [];
  if (features.length !== 1) {
    throw invalid(`${nameOf(source)} has ${String(features.length)} features; one is needed`);
  }
  return isJsonObject(features[0]) ? features[0]['geometry'] : null;
}

async function readSource(source: string): Promise<string> {
  try {
    return source === '-' ? await text(process.stdin) : await readFile(source, 'utf8');
  } catch {
    throw invalid(`${nameOf(source)} can't be read`);
  }
}

function nameOf(source: string): string {
  return source === '-' ? 'standard input' : source;
}

function invalid(why: string): AppError {
  return new AppError('input.invalid', `--intersects: ${why}`, { details: { field: 'intersects', why } });
}
