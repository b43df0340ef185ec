import type { Column } from './results-columns.ts';

/** Keeps rows whose text is one of `texts`; null stands for rows without a value. */
export interface ChoiceFilter {
  kind: 'choice';
  texts: readonly (string | null)[];
}

/** Keeps rows whose number lies within; a bound of null is open. Rows without a number don't. */
export interface RangeFilter {
  kind: 'range';
  min: number | null;
  max: number | null;
}

/** What a row must have in one column. */
export type ResultFilter = ChoiceFilter | RangeFilter;

/** One condition for each column, by the column's name. */
export type ResultFilters = ReadonlyMap<string, ResultFilter>;

export const noFilters: ResultFilters = new Map();

/** The conditions with one of them set, or taken away with null. */
export function withFilter(
  filters: ResultFilters,
  column: string,
  filter: ResultFilter | null,
): ResultFilters {
  const changed = new Map(filters);
  if (filter === null) changed.delete(column);
  else changed.set(column, filter);
  return changed;
}

/** Whether a row passes, by its index. A column that is not here yet lets every row through. */
export function createTest(filter: ResultFilter, column: Column | null): (index: number) => boolean {
  if (column === null) return () => true;
  if (filter.kind === 'range') {
    if (column.kind !== 'number') return () => true;
    const { min, max } = filter;
    const [low, high] = [min ?? -Infinity, max ?? Infinity];
    return (index) => {
      const value = column.at(index);
      return value >= low && value <= high;
    };
  }
  const hasNone = filter.texts.includes(null);
  if (column.kind === 'number') {
    const numbers = new Set(filter.texts.map((text) => (text === null ? NaN : Number(text))));
    return (index) => numbers.has(column.at(index));
  }
  const codes = new Set(filter.texts.map((text) => (text === null ? -1 : column.codeOf(text))));
  return (index) => {
    const code = column.codeAt(index);
    return Number.isNaN(code) ? hasNone : codes.has(code);
  };
}

/** Of each row which filters it fails, one bit for each filter. It grows with the rows. */
export class FilterMask {
  #bits = new Uint32Array(1024);
  #length = 0;
  #names: readonly string[] = [];

  /** At most as many filters as there are bits; a person has long lost track by then. */
  static readonly maxFilters = 31;

  get length(): number {
    return this.#length;
  }

  /** Tests rows from `from` on with all filters. */
  update(from: number, to: number, tests: ReadonlyMap<string, (index: number) => boolean>): void {
    if (to > this.#bits.length) {
      const larger = new Uint32Array(Math.max(to, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#names = [...tests.keys()].slice(0, FilterMask.maxFilters);
    this.#bits.fill(0, from, to);
    for (const [place, name] of this.#names.entries()) {
      const test = tests.get(name);
      for (let index = from; test && index < to; index++) {
        if (!test(index)) this.#bits[index] = (this.#bits[index] ?? 0) | (1 << place);
      }
    }
    this.#length = to;
  }

  /** Whether a row passes all filters, or all but those of `except`: what a facet counts. */
  passes(index: number, except: number): boolean {
    return ((this.#bits[index] ?? 0) & ~except) === 0;
  }

  /** The bits of some filters, for `passes`. */
  bitsOf(...names: readonly string[]): number {
    let bits = 0;
    for (const name of names) {
      const place = this.#names.indexOf(name);
      if (place >= 0) bits |= 1 << place;
    }
    return bits;
  }
}
