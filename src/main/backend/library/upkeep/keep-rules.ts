import type { Database } from 'better-sqlite3';
import type { Geometry } from 'geojson';
import { bboxOfGeometry, splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { addCellFunction, cellsNear } from '../map-cell.ts';

/** What is never evicted from a library. */
export interface KeepRules {
  /** Searches by their query's key: all Items in their records. */
  queryKeys: readonly string[];
  /** Items whose box touches that of an area. */
  areas: readonly Geometry[];
  collectionIds: readonly string[];
  /** Single Items, such as those of downloads. */
  refs: readonly ItemRef[];
  /** Items fetched since then: a running job brings them. Milliseconds since 1970; null for none. */
  fetchedSinceMs: number | null;
}

/** Nothing is pinned. */
export const noKeepRules: KeepRules = {
  queryKeys: [],
  areas: [],
  collectionIds: [],
  refs: [],
  fetchedSinceMs: null,
};

/** Notes the Items that the rules keep in `temp.kept`, a table of this connection alone. */
export function markKept(database: Database, rules: KeepRules): void {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS kept (pk INTEGER PRIMARY KEY); DELETE FROM temp.kept');
  const keep = (select: string, ...parameters: unknown[]): void => {
    database.prepare(`INSERT OR IGNORE INTO temp.kept ${select}`).run(...parameters);
  };
  for (const key of rules.queryKeys) {
    keep(
      'SELECT item_pk FROM search_item WHERE search_number IN (SELECT number FROM search WHERE query_key = ?)',
      key,
    );
  }
  addCellFunction(database);
  for (const box of rules.areas.flatMap(boxesOf)) {
    const [west, south, east, north] = box;
    for (const { from, to } of cellsNear([box]))
      keep(touchingBox, from, to, north, south, east, west, east, west);
  }
  for (const id of rules.collectionIds) {
    keep('SELECT pk FROM item WHERE collection_pk = (SELECT pk FROM collection WHERE id = ?)', id);
  }
  for (const { collectionId, itemId } of rules.refs) {
    keep(
      'SELECT pk FROM item WHERE collection_pk = (SELECT pk FROM collection WHERE id = ?) AND id = ?',
      collectionId,
      itemId,
    );
  }
  if (rules.fetchedSinceMs !== null) {
    keep('SELECT pk FROM item WHERE fetched_at_ms >= ?', rules.fetchedSinceMs);
  }
}

// One with another cell than its box has is found by its footprint, which stands out of that.
const touchingBox = `
  SELECT pk FROM item WHERE cell BETWEEN ? AND ? AND (cell <> cell_of(west, south, east, north)
    OR south <= ? AND north >= ? AND iif(west <= east, west <= ? AND east >= ?, west <= ? OR east >= ?))`;

// One box for each part: that around an archipelago would keep half an ocean.
function boxesOf(geometry: Geometry): Bbox[] {
  const parts: Geometry[] =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
      : [geometry];
  return parts
    .map(bboxOfGeometry)
    .filter((box) => box !== null)
    .flatMap(splitAtAntimeridian);
}
