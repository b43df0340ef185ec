import { isJsonObject } from './json.ts';

/** The datatypes a queryable can ask its operands to have; `any` where the server's schema says nothing usable. */
export type QueryableType = 'number' | 'boolean' | 'string' | 'datetime' | 'any';

/** A property that can be used in a Query extension search. */
export interface Queryable {
  name: string;
  type: QueryableType;
  title: string | null;
  /** Allowed values where the server lists them. */
  values: readonly (string | number)[] | null;
  minimum: number | null;
  maximum: number | null;
}

/** Reads a queryables answer (a JSON Schema object). `$ref`s are not followed: they degrade to `any`. */
export function readQueryables(answer: unknown): Queryable[] {
  if (!isJsonObject(answer) || !isJsonObject(answer['properties'])) return [];
  return Object.entries(answer['properties'])
    .filter(([name]) => name !== '')
    .map(([name, schema]) => readQueryable(name, schema));
}

function readQueryable(name: string, schema: unknown): Queryable {
  const members = isJsonObject(schema) ? schema : {};
  const values = members['enum'];
  return {
    name,
    type: readType(members),
    title: typeof members['title'] === 'string' ? members['title'] : null,
    values: Array.isArray(values)
      ? values.filter((value) => typeof value === 'string' || typeof value === 'number')
      : null,
    minimum: numberOrNull(members['minimum']),
    maximum: numberOrNull(members['maximum']),
  };
}

function readType(schema: Record<string, unknown>): QueryableType {
  const declared = Array.isArray(schema['type'])
    ? (schema['type'] as unknown[]).find((type) => type !== 'null')
    : schema['type'];
  if (declared === 'string') return schema['format'] === 'date-time' ? 'datetime' : 'string';
  if (declared === 'number' || declared === 'integer') return 'number';
  return declared === 'boolean' ? 'boolean' : 'any';
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
