import { lightPaths } from '#shared/search/light-paths.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';

type Fields = NonNullable<SearchQuery['fields']>;

/**
 * Which members of each Item to ask for. `light` is for wide surveys: what list and map need, and `properties` (names
 * without `properties.`) besides. `custom` is kept as typed.
 */
export type DraftFields =
  { kind: 'full' } | { kind: 'light'; properties: readonly string[] } | ({ kind: 'custom' } & Fields);

const prefix = 'properties.';

/** The `fields` of the request; undefined for whole Items. `asked`: properties that the question has conditions on. */
export function toFields(fields: DraftFields, asked: readonly string[] = []): Fields | undefined {
  if (fields.kind === 'full') return undefined;
  if (fields.kind === 'custom') {
    const { include, exclude } = fields;
    return { ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) };
  }
  const extra = [...fields.properties, ...asked].map((property) => `${prefix}${property}`);
  return { include: [...new Set([...lightPaths, ...extra])] };
}

/** The draft of a `fields`, such that `toFields` writes the same again. */
export function fromFields(fields: Fields | undefined, asked: readonly string[] = []): DraftFields {
  if (!fields) return { kind: 'full' };
  const { include = [] } = fields;
  const extra = include.slice(lightPaths.length);
  if (extra.every((path) => path.startsWith(prefix))) {
    const light: DraftFields = { kind: 'light', properties: extra.map((path) => path.slice(prefix.length)) };
    const written = toFields(light, asked);
    if (fields.exclude === undefined && isSameList(written?.include ?? [], include)) return light;
  }
  return { kind: 'custom', ...fields };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, index) => path === b[index]);
}
