/** The place of each entry in its list, by id. */
export function indexById(entries: readonly { id: string }[]): ReadonlyMap<string, number> {
  return new Map(entries.map(({ id }, index) => [id, index]));
}
