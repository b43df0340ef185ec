import { isJsonObject } from '#shared/stac/json.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';

/** What a column holds. `none` until a value was seen; `json` where values have nothing in common. */
export type ColumnType =
  | { kind: 'none' | 'boolean' | 'integer' | 'number' | 'text' | 'time' | 'json' }
  | { kind: 'list'; of: ColumnType }
  | { kind: 'struct'; fields: Map<string, ColumnType> };

/** More members than this are no structure but a dictionary. */
const maxFields = 1000;

const none: ColumnType = { kind: 'none' };
const json: ColumnType = { kind: 'json' };

/** The type of a column that held `type` so far, with one value more. Structures are widened in place. */
export function widen(type: ColumnType, value: unknown): ColumnType {
  if (type.kind === 'json' || value === null || value === undefined) return type;
  if (Array.isArray(value)) return widenList(type, value);
  if (isJsonObject(value)) return widenStruct(type, value);
  return join(type, scalarType(value));
}

/** Text that stays a time as long as every value is one. */
export function widenTime(type: ColumnType, value: unknown): ColumnType {
  const isTime = typeof value === 'string' && toEpochMicros(value) !== null;
  if (isTime && (type.kind === 'none' || type.kind === 'time')) return { kind: 'time' };
  const asText: ColumnType = type.kind === 'time' && value != null ? { kind: 'text' } : type;
  return widen(asText, value);
}

/** Columns of the file that a type takes. */
export function countLeaves(type: ColumnType): number {
  if (type.kind === 'list') return countLeaves(type.of);
  if (type.kind !== 'struct') return 1;
  return [...type.fields.values()].reduce((sum, field) => sum + countLeaves(field), 0);
}

/** The same type as a file can have it: structures without members, or whose names differ only in case, are JSON. */
export function settle(type: ColumnType): ColumnType {
  if (type.kind === 'list') return { kind: 'list', of: settle(type.of) };
  if (type.kind !== 'struct') return type;
  const names = [...type.fields.keys()].map((name) => name.toLowerCase());
  if (names.length === 0 || names.includes('') || new Set(names).size < names.length) return json;
  const fields = new Map([...type.fields].map(([name, field]) => [name, settle(field)]));
  foldAmbiguous(fields);
  return { kind: 'struct', fields };
}

/** Makes JSON of what has a member `c` where another is called `a.c` beside it: files name members by their path. */
export function foldAmbiguous(fields: Map<string, ColumnType>): void {
  for (const name of fields.keys()) {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const above = name.slice(0, dot);
      if (fields.get(above)?.kind === 'struct') fields.set(above, json);
    }
  }
}

function widenList(type: ColumnType, values: readonly unknown[]): ColumnType {
  if (type.kind !== 'none' && type.kind !== 'list') return json;
  let of = type.kind === 'list' ? type.of : none;
  for (const value of values) of = widen(of, value);
  return { kind: 'list', of };
}

function widenStruct(type: ColumnType, value: Record<string, unknown>): ColumnType {
  if (type.kind !== 'none' && type.kind !== 'struct') return json;
  const struct: ColumnType = type.kind === 'struct' ? type : { kind: 'struct', fields: new Map() };
  for (const name of Object.keys(value)) {
    struct.fields.set(name, widen(struct.fields.get(name) ?? none, value[name]));
  }
  return struct.fields.size > maxFields ? json : struct;
}

function scalarType(value: unknown): ColumnType {
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'number') return { kind: Number.isSafeInteger(value) ? 'integer' : 'number' };
  return { kind: 'text' };
}

function join(type: ColumnType, other: ColumnType): ColumnType {
  if (type.kind === 'none' || type.kind === other.kind) return other;
  const kinds = [type.kind, other.kind];
  return kinds.includes('integer') && kinds.includes('number') ? { kind: 'number' } : json;
}
