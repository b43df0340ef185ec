import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { cellOf, cellsNear } from './map-cell.ts';
import { migrations } from './migrations.ts';
import { libraryApplicationId, openDatabase } from './open-database.ts';
import { touchesAny } from './search/box-columns.ts';

it('leads to every box that touches an area, whatever its size and place', () => {
  let touching = 0;
  for (let round = 0; round < 300; round++) {
    const areas = splitAtAntimeridian(boxFrom(round, 'area'));
    const ranges = cellsNear(areas);
    for (let number = 0; number < 300; number++) {
      const box = boxFrom(round * 300 + number, 'item');
      if (!touchesAny(box, areas)) continue;
      touching += 1;
      const cell = cellOf(box);
      expect(
        ranges.some(({ from, to }) => from <= cell && cell <= to),
        `${String(box)} touches ${String(areas)}`,
      ).toBe(true);
    }
  }
  expect(touching).toBeGreaterThan(5000);
});

it.each<[string, Bbox]>([
  ['a point', [7, 47, 7, 47]],
  ['a scene', [7, 47, 8.4, 48]],
  ['a scene over the antimeridian', [179.6, -17, -179.3, -16]],
  ['a scene at the pole', [-10, 89, 10, 90]],
  ['a scene over the antimeridian, boxed around the world', [-180, 65, 180, 66]],
])('leaves most of the world out when %s is looked for', (_name, box) => {
  const cell = cellOf(box);
  const far = Array.from({ length: 400 }, (_, index): Bbox => {
    const [west, south] = [-170 + (index % 20) * 17, -85 + Math.floor(index / 20) * 8.5];
    return [west, south, west + 1, south + 1];
  });
  const led = far.filter((area) => cellsNear([area]).some(({ from, to }) => from <= cell && cell <= to));
  expect(led.length).toBeLessThan(40);
});

it('finds a box that is nowhere on the map wherever it is looked for', () => {
  for (const box of [[0, 89, 10, 95], [200, 0, 210, 10], [5, 10, 6, 9] as const] as Bbox[])
    expect(cellsNear([[100, -40, 101, -39]])[0]).toEqual({ from: cellOf(box), to: cellOf(box) });
});

it('files what an earlier version had in a tree, with footprints that stand out of their boxes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-cells-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filePath = join(folder, 'library.sqlite');
  const before = openSqlite(filePath, {
    name: 'library',
    applicationId: libraryApplicationId,
    migrations: migrations.slice(0, 11),
    pragmas: [],
    isExclusive: false,
  });
  before.exec(`
    INSERT INTO collection (pk, id) VALUES (1, 'c');
    INSERT INTO item (pk, collection_pk, id, datetime_us, fetched_at_ms, is_partial, west, south, east, north) VALUES
      (1, 1, 'plain', 0, 0, 0, 7.1, 47.1, 8.3, 48.1), (2, 1, 'nowhere', 0, 0, 0, NULL, NULL, NULL, NULL),
      (3, 1, 'crossing', 0, 0, 0, 179.6, -17, -179.3, -16), (4, 1, 'astray', 0, 0, 0, 7, 47, 8, 48);
    INSERT INTO item_box (id, west, east, south, north) VALUES (1, 7.1, 8.3, 47.1, 48.1), (3, 179.6, 180, -17, -16),
      (-3, -180, -179.3, -17, -16), (4, -60, 8, -3, 48);`);
  before.close();
  const database = openDatabase(filePath);
  onTestFinished(() => void database.close());
  expect(database.prepare('SELECT id, cell FROM item ORDER BY pk').all()).toEqual([
    { id: 'plain', cell: cellOf([7.1, 47.1, 8.3, 48.1]) },
    { id: 'nowhere', cell: null },
    { id: 'crossing', cell: cellOf([179.6, -17, -179.3, -16]) },
    { id: 'astray', cell: cellOf([-60, -3, 8, 48]) },
  ]);
  expect(database.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'item_box%'`).all()).toEqual([]);
});

/** A box by its number: small and large, at the edges of the map, beyond them, and over the antimeridian. */
function boxFrom(number: number, kind: 'area' | 'item'): Bbox {
  const at = (salt: number) => {
    const bits = Math.imul(
      (number + 1) ^ (salt * 0x9e3779b1) ^ (kind === 'area' ? 0x5bd1e995 : 0),
      0x85ebca6b,
    );
    const mixed = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const width = 10 ** (at(1) * 4.5 - 2);
  const height = Math.min(180, width * (0.3 + at(2) * 2));
  const west = Math.min(360, -180 + Math.round(at(3) * 380) * (at(4) < 0.3 ? 1 : 0.93));
  const south = Math.max(-90, Math.min(90 - (at(5) < 0.05 ? 0 : height), -95 + at(6) * 190));
  const east = west + Math.min(360, width);
  return [west, south, east > 180 && at(7) < 0.8 ? east - 360 : east, Math.min(91, south + height)];
}
