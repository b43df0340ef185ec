/** A map that forgets what was used longest ago when it holds more than it may. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Builds an empty one. */
export function createRecentMap<Value>(maxSize: number): RecentMap<Value> {
  // A Map iterates in the order of insertion: the first key is the oldest.
  const entries = new Map<string, Value>();
  const use = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) use(key, value);
      return value;
    },
    set(key, value) {
      use(key, value);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxSize) break;
        entries.delete(oldest);
      }
    },
  };
}
