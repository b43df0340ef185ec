/** Does work for a key once at a time; what comes for it meanwhile is done together the next time. */
export interface GatheredTasks<Item> {
  /** Resolves when work that began after this call, and was given the item, is over. Throws what it threw. */
  run(key: string, item: Item): Promise<void>;
}

interface Line<Item> {
  /** The work that was begun last; never rejects. */
  last: Promise<void>;
  next: { items: Item[]; done: Promise<void> } | null;
}

/** Makes a set of lines, each gone when it is empty. */
export function createGatheredTasks<Item>(
  work: (key: string, items: readonly Item[]) => Promise<void>,
): GatheredTasks<Item> {
  const lines = new Map<string, Line<Item>>();

  function begin(key: string, line: Line<Item>, item: Item): Promise<void> {
    const items = [item];
    const done = line.last.then(() => {
      line.next = null;
      return work(key, items);
    });
    line.next = { items, done };
    line.last = done
      .catch(() => undefined)
      .then(() => {
        if (line.next === null) lines.delete(key);
      });
    return done;
  }

  return {
    run(key, item) {
      const line = lines.get(key) ?? { last: Promise.resolve(), next: null };
      lines.set(key, line);
      if (line.next === null) return begin(key, line, item);
      line.next.items.push(item);
      return line.next.done;
    },
  };
}
