import type { Queryable } from '#shared/stac/queryables.ts';

/**
 * What several collections can be asked together, from what each can be asked: the properties that all of them have,
 * with the values of any and the wider ends. One that lists nothing tells nothing.
 */
export function commonQueryables(lists: readonly (readonly Queryable[])[]): Queryable[] {
  const [first = [], ...others] = lists.filter((list) => list.length > 0);
  return others.reduce<Queryable[]>(
    (common, list) => {
      const byName = new Map(list.map((one) => [one.name, one]));
      return common.flatMap((one) => {
        const other = byName.get(one.name);
        return other ? widen(one, other) : [];
      });
    },
    [...first],
  );
}

function widen(one: Queryable, other: Queryable): Queryable {
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
