import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isJsonObject } from '#shared/stac/json.ts';

const fixturesDir = join(import.meta.dirname, '../../../../../../shared/fixtures');

/** Whether the recorded answers are there; they are not part of the repository. */
export const hasFixtures = existsSync(fixturesDir);

/** Why a test of recorded answers is left out. */
export const noFixtures = 'skipped: ../shared/fixtures is not there';

/** Files of the fixtures whose path, relative to their folder, matches. */
export function fixtureFiles(pattern: RegExp): { name: string; read: () => string }[] {
  if (!hasFixtures) return [];
  const entries = readdirSync(fixturesDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(fixturesDir, path), read: () => readFileSync(path, 'utf8') }))
    .filter(({ name }) => pattern.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every Feature with an id in a parsed file: alone, in a FeatureCollection or in a list. */
export function featuresIn(json: unknown): Record<string, unknown>[] {
  if (Array.isArray(json)) return json.flatMap(featuresIn);
  if (!isJsonObject(json)) return [];
  if (Array.isArray(json['features'])) return json['features'].flatMap(featuresIn);
  return json['type'] === 'Feature' ? [json] : [];
}
