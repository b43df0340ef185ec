import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExportFormat } from '#shared/exchange/export-format.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { makeItem } from './testing/odd-items.ts';
import { writeToFile } from './testing/write-to-file.ts';

const run = promisify(execFile);
const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;

/** A feature as GDAL gives it back. */
interface Feature {
  /** Of CSV it is a property like others. */
  id?: string;
  properties: Record<string, unknown>;
  geometry: { type: string; coordinates: unknown };
}

const items: readonly IdentifiedItem[] = [
  makeItem('plain'),
  makeItem('=1+1 "quoted", with, commas\nand a line', { 'eo:cloud_cover': 12.5 }),
  makeItem('Überflug 日本'),
  toAntimeridian(makeItem('across')),
];

function toAntimeridian({ ref, item }: IdentifiedItem): IdentifiedItem {
  const ring = [
    [179, -10],
    [-179, -10],
    [-179, 10],
    [179, 10],
    [179, -10],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  return { ref, item: { ...item, bbox: [179, -10, -179, 10], geometry } };
}

async function readWithGdal(format: ExportFormat): Promise<Feature[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-gdal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, `out.${format === 'csv' ? 'csv' : 'json'}`);
  await writeToFile(items, { path, format });
  const { stdout, stderr } = await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', path]);
  expect(stderr).not.toMatch(/error/i);
  return (JSON.parse(stdout) as { features: Feature[] }).features;
}

const idOf = (feature: Feature | undefined): unknown => feature?.id ?? feature?.properties['id'];

describe.skipIf(!hasGdal)('GDAL', () => {
  it.each(['geojson', 'csv'] as const)('opens %s, each footprint in its place', async (format) => {
    const features = await readWithGdal(format);
    expect(features).toHaveLength(items.length);
    expect(idOf(features[0])).toBe('plain');
    expect(idOf(features[1])).toContain('1+1 "quoted", with, commas\nand a line');
    expect(idOf(features[2])).toBe('Überflug 日本');
    expect(features[0]?.geometry).toEqual(items[0]?.item['geometry']);
    // RFC 7946, section 3.1.9: cut in two.
    expect(features[3]?.geometry.type).toBe('MultiPolygon');
    expect(features[3]?.geometry.coordinates).toHaveLength(2);
  });

  it('opens an ItemCollection, footprints as the catalog gave them', async () => {
    const features = await readWithGdal('stac');
    expect(features).toHaveLength(items.length);
    expect(features.map(({ geometry }) => geometry)).toEqual(items.map(({ item }) => item['geometry']));
  });
});
