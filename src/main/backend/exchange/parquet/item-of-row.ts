import { isJsonObject } from '#shared/stac/json.ts';
import { applyPatch } from './item-patch.ts';
import { fromWkb } from './wkb.ts';

/** Members of an Item that have columns of their own; every other column is a property. */
export const itemColumns = [
  'type',
  'stac_version',
  'stac_extensions',
  'id',
  'collection',
  'geometry',
  'bbox',
  'links',
  'assets',
] as const;

/** Column with what the others can't say of an Item: `null` beside nothing, times as they were written. */
export const patchColumn = 'swath:patch';

const apart: readonly string[] = [...itemColumns, patchColumn];

/** The Item of a row of stac-geoparquet, ours or another program's. Columns without a value are no members. */
export function itemOfRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const member = (name: string, absent: unknown): unknown => revive(row[name]) ?? absent;
  const { geometry } = row;
  const item: Record<string, unknown> = {
    type: 'Feature',
    stac_version: member('stac_version', '1.0.0'),
    stac_extensions: member('stac_extensions', []),
    id: member('id', undefined),
    collection: member('collection', undefined),
    geometry: geometry instanceof Uint8Array ? fromWkb(geometry) : member('geometry', null),
    bbox: toBbox(row['bbox']),
    properties: propertiesOfRow(row),
    links: member('links', []),
    assets: member('assets', {}),
  };
  for (const name of ['collection', 'bbox']) if (item[name] === undefined) Reflect.deleteProperty(item, name);
  const patch = row[patchColumn];
  if (typeof patch === 'string') applyPatch(item, patch);
  return item;
}

function propertiesOfRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.keys(row).flatMap((name): [string, unknown][] => {
    const value = apart.includes(name) ? undefined : revive(row[name], name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([['datetime', null], ...properties]);
}

/** A value of Parquet as JSON: whole numbers as numbers, members without a value left out. */
function revive(value: unknown, name = ''): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === null) return undefined;
  return typeof value === 'object' ? reviveObject(value, name) : value;
}

function reviveObject(value: object, name: string): unknown {
  if (value instanceof Date) return value.toISOString();
  // Geometries beside the footprint, such as proj:geometry.
  if (value instanceof Uint8Array)
    return name.endsWith('geometry') ? (fromWkb(value) ?? undefined) : undefined;
  if (ArrayBuffer.isView(value))
    return Array.from(value as unknown as ArrayLike<unknown>, (one) => revive(one));
  return Array.isArray(value) ? value.map((one) => revive(one) ?? null) : reviveStruct(value);
}

function reviveStruct(struct: object): Record<string, unknown> {
  const members = Object.entries(struct).flatMap(([name, value]): [string, unknown][] => {
    const member = revive(value, name);
    return member === undefined ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

/** A struct of GeoParquet 1.1, or the list of earlier files. */
function toBbox(value: unknown): unknown {
  if (!isJsonObject(value)) return revive(value);
  const { xmin, ymin, zmin, xmax, ymax, zmax } = value;
  if (xmin == null || ymin == null || xmax == null || ymax == null) return undefined;
  return zmin == null || zmax == null ? [xmin, ymin, xmax, ymax] : [xmin, ymin, zmin, xmax, ymax, zmax];
}
