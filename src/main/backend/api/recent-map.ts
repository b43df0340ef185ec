/** A map that forgets what was used longest ago when it holds more than it may. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** How much a map may hold. */
export interface RecentMapLimits<Value> {
  maxSize: number;
  /** What an entry weighs now; left out, only their number counts. */
  weigh?: (value: Value) => number;
  /** Of all entries together; entries beyond `lightSize` are forgotten while they weigh more. */
  maxWeight?: number;
  lightSize?: number;
}

/** Builds an empty one. It looks at its limits when something is added. */
export function createRecentMap<Value>(limits: RecentMapLimits<Value>): RecentMap<Value> {
  const { maxSize, weigh = () => 0, maxWeight = Infinity, lightSize = 1 } = limits;
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
      let weight = [...entries.values()].reduce((sum, one) => sum + weigh(one), 0);
      for (const [oldest, one] of entries) {
        const isTooHeavy = weight > maxWeight && entries.size > lightSize;
        if (entries.size <= maxSize && !isTooHeavy) break;
        entries.delete(oldest);
        weight -= weigh(one);
      }
    },
  };
}
