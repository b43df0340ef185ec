import type { Queryable } from './queryables.ts';

/** What can be asked of two collections together: what one allows, the other may not, so all values of both, and the wider ends. */
export function widenQueryable(one: Queryable, other: Queryable): Queryable {
  return {
    name: one.name,
    type: one.type === other.type ? one.type : 'any',
    title: one.title ?? other.title,
    // What one of them doesn't limit, both together don't.
    values: one.values && other.values && [...new Set([...one.values, ...other.values])],
    minimum: one.minimum === null || other.minimum === null ? null : Math.min(one.minimum, other.minimum),
    maximum: one.maximum === null || other.maximum === null ? null : Math.max(one.maximum, other.maximum),
  };
}
