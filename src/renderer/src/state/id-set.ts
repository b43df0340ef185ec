/** Some numbers; another set for every change, so that one signal stands for all of them. */
export type IdSet = ReadonlySet<number>;

/** No numbers. */
export const noIds: IdSet = new Set<number>();

/** A set of these. */
export function toIdSet(ids: Iterable<number>): IdSet {
  return new Set(ids);
}

/** The set with these in it. */
export function addIds(set: IdSet, ids: Iterable<number>): IdSet {
  return new Set([...set, ...ids]);
}

/** The set without these. */
export function removeIds(set: IdSet, ids: Iterable<number>): IdSet {
  const rest = new Set(set);
  for (const id of ids) rest.delete(id);
  return rest;
}
