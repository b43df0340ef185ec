/** What the Items of an answer have for one property. */
export interface PropertySummary {
  property: string;
  /** Items that have a value. */
  itemCount: number;
  /** Texts and booleans, most frequent first. */
  values: { value: string | boolean; itemCount: number }[];
  /** Items whose text isn't listed, because too many are. */
  unlistedCount: number;
  /** The numbers in as many equally wide ranges from the least to the greatest; null where there are none. */
  numbers: { min: number; max: number; itemCounts: number[] } | null;
  /** Items that have a list or an object. */
  structuredCount: number;
}

const maxListed = 100;
const rangeCount = 20;

/** Counts the values of one property. */
export class ValueCounter {
  readonly #property: string;
  readonly #counts = new Map<string | boolean, number>();
  readonly #numbers: number[] = [];
  #structuredCount = 0;

  constructor(property: string) {
    this.#property = property;
  }

  /** A value that so many Items have. Null is none. */
  add(value: unknown, itemCount = 1): void {
    // What JSON writes as 1e999 has no place between others. Zero has no sign in columns.
    if (typeof value === 'number' && Number.isFinite(value)) {
      for (let left = itemCount; left > 0; left--) this.#numbers.push(value + 0);
    } else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
      const named = typeof value === 'number' ? String(value) : value;
      this.#counts.set(named, (this.#counts.get(named) ?? 0) + itemCount);
    } else if (value !== null && value !== undefined) this.#structuredCount += itemCount;
  }

  /** What was counted. Values that are as frequent as others stand in the order of their texts. */
  summarise(): PropertySummary {
    const all = [...this.#counts].map(([value, itemCount]) => ({ value, itemCount }));
    all.sort((a, b) => b.itemCount - a.itemCount || compareTexts(String(a.value), String(b.value)));
    const valueCount = sum(all);
    const values = all.slice(0, maxListed);
    return {
      property: this.#property,
      itemCount: valueCount + this.#numbers.length + this.#structuredCount,
      values,
      unlistedCount: valueCount - sum(values),
      numbers: toRanges(this.#numbers),
      structuredCount: this.#structuredCount,
    };
  }
}

function toRanges(numbers: readonly number[]): PropertySummary['numbers'] {
  let [min, max] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < min) min = number;
    if (number > max) max = number;
  }
  if (numbers.length === 0) return null;
  const itemCounts = new Array<number>(min === max ? 1 : rangeCount).fill(0);
  for (const number of numbers) {
    const share = min === max ? 0 : (number - min) / (max - min);
    const range = Math.min(itemCounts.length - 1, Math.floor(share * itemCounts.length));
    itemCounts[range] = (itemCounts[range] ?? 0) + 1;
  }
  return { min, max, itemCounts };
}

function sum(counts: readonly { itemCount: number }[]): number {
  return counts.reduce((total, { itemCount }) => total + itemCount, 0);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
