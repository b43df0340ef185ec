import type { Queryable } from '#shared/stac/queryables.ts';
import { widenQueryable } from '#shared/stac/widen-queryable.ts';

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
        return other ? widenQueryable(one, other) : [];
      });
    },
    [...first],
  );
}
