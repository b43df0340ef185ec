import { bboxOf, footprintOf, propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { fromEpochMicros, toEpochMicros } from '#shared/stac/timestamp.ts';
import type { ColumnType } from './column-type.ts';
import { itemOfRow, patchColumn } from './item-of-row.ts';
import { findPatch } from './item-patch.ts';
import { toWkb } from './wkb.ts';

/** What of an Item stands in each column, with what the columns alone would lose of it. */
export function rowOfItem(
  one: IdentifiedItem,
  columns: ReadonlyMap<string, ColumnType>,
): Record<string, unknown> {
  const { item } = one;
  const given = readColumns(one);
  const footprint = footprintOf(item);
  const geometry = footprint && toWkb(footprint);
  const row: Record<string, unknown> = { geometry };
  const seen: Record<string, unknown> = { geometry };
  for (const [name, type] of columns) {
    const value = given(name);
    row[name] = toWritten(value, type);
    seen[name] = toSeen(value, type);
  }
  row[patchColumn] = findPatch(item, itemOfRow(seen));
  return row;
}

function readColumns({ ref, item }: IdentifiedItem): (name: string) => unknown {
  const properties = propertiesOf(item);
  return (name) => {
    switch (name) {
      case 'id':
        return ref.itemId;
      case 'collection':
        return ref.collectionId;
      case 'bbox':
        return toBoxStruct(item);
      case 'stac_version':
      case 'stac_extensions':
      case 'links':
      case 'assets':
        return item[name];
      default:
        return Object.hasOwn(properties, name) ? properties[name] : undefined;
    }
  };
}

function toBoxStruct(item: IdentifiedItem['item']): Record<string, unknown> | null {
  const box = bboxOf(item);
  if (!box) return null;
  const [xmin, ymin, xmax, ymax] = box;
  const own = item['bbox'];
  const heights =
    Array.isArray(own) && own.length === 6 ? { zmin: own[2] as unknown, zmax: own[5] as unknown } : {};
  return { xmin, ymin, xmax, ymax, ...heights };
}

/** A value as the library that writes takes it; null where the column can't hold it. */
function toWritten(value: unknown, type: ColumnType): unknown {
  if (type.kind === 'integer') return typeof value === 'number' ? BigInt(value) : null;
  if (type.kind !== 'time') return toHeld(value, type, toWritten);
  const micros = toMicros(value);
  return micros === null ? null : BigInt(micros);
}

/** The same value as whoever reads the file sees it. */
function toSeen(value: unknown, type: ColumnType): unknown {
  if (type.kind !== 'time') return toHeld(value, type, toSeen);
  const micros = toMicros(value);
  return micros === null ? null : fromEpochMicros(micros);
}

function toMicros(value: unknown): number | null {
  return typeof value === 'string' ? toEpochMicros(value) : null;
}

type MapValue = (value: unknown, type: ColumnType) => unknown;

function toHeld(value: unknown, type: ColumnType, map: MapValue): unknown {
  if (value === null || value === undefined) return null;
  if (type.kind === 'list') return Array.isArray(value) ? value.map((one) => map(one, type.of)) : null;
  if (type.kind === 'struct') return isJsonObject(value) ? mapFields(value, type.fields, map) : null;
  return isHeld(value, type) ? value : null;
}

function mapFields(
  value: Record<string, unknown>,
  fields: ReadonlyMap<string, ColumnType>,
  map: MapValue,
): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, type]) => [name, Object.hasOwn(value, name) ? map(value[name], type) : null]),
  );
}

function isHeld(value: unknown, { kind }: ColumnType): boolean {
  if (kind === 'json') return true;
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'text') return typeof value === 'string';
  return (kind === 'number' || kind === 'integer') && typeof value === 'number';
}
