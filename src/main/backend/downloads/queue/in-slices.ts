// Some milliseconds, whatever is written of each.
const perSlice = 200;

/** Does to many what is done to each, in slices between which the event loop is left to others. */
export async function inSlices<Item>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => void | Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += perSlice) {
    if (at > 0) await nextTurn();
    await work(items.slice(at, at + perSlice));
  }
}

/** Leaves the event loop to others. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
