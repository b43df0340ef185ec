import { propertiesOf, timeOf, type StacItem } from '#shared/stac/item.ts';
import {
  blockBits,
  blockSize,
  firstCode,
  formatMicros,
  lookAtItem,
  noValue,
} from '../columns/column-chunk.ts';
import type { ColumnChunk, DictionaryChunk } from '../columns/column-chunk.ts';
import { builtIn, propertyColumn } from '../columns/column-names.ts';
import { createNumberReader } from './number-reader.ts';
import type { BlockColumns } from './term.ts';
import { ValueCounter, type PropertySummary } from './value-counter.ts';

/** What an answer is made of, exactly. */
export interface AnswerSummary {
  itemCount: number;
  /** By id. */
  collections: { collectionId: string; itemCount: number }[];
  /** By the time that Items are sorted by, in UTC, oldest first: `2026-05`. */
  months: { month: string; itemCount: number }[];
  /** Items without a time. */
  undatedCount: number;
  properties: PropertySummary[];
}

/** Where Items are looked at that columns don't tell all of. */
type LookAt = (pks: readonly number[], see: (item: SeenItem) => void) => Promise<void>;

/** An Item with the row number of its collection. */
interface SeenItem {
  collectionPk: number;
  item: StacItem;
}

const dayMicros = 86_400_000_000;

/** Sums an answer up, some of its Items after the other. */
export class SummaryBuilder {
  readonly #lookAt: LookAt;
  readonly #byCollection = new Map<number, number>();
  readonly #byDay = new Map<number, number>();
  readonly #counters: readonly (readonly [name: string, counter: ValueCounter])[];
  #itemCount = 0;
  #undatedCount = 0;

  constructor(properties: readonly string[], lookAt: LookAt) {
    this.#lookAt = lookAt;
    this.#counters = [...new Set(properties)].map((name) => [name, new ValueCounter(name)]);
  }

  /** Items that columns tell of; all of one block. */
  async addCovered(pks: readonly number[], columns: BlockColumns): Promise<void> {
    const collection = createNumberReader(columns.column(builtIn.collection));
    const datetime = createNumberReader(columns.column(builtIn.datetime));
    for (const pk of pks) this.#addRow(collection(pk % blockSize), datetime(pk % blockSize));
    for (const [name, counter] of this.#counters) {
      const chunk = columns.column(propertyColumn(name));
      const untold = chunk ? addChunk(counter, chunk, pks) : columns.isOverflowing ? pks : [];
      if (untold.length === 0) continue;
      await this.#lookAt(untold, ({ item }) => counter.add(propertiesOf(item)[name]));
    }
  }

  /** Items that have to be looked at. */
  async addUncovered(pks: readonly number[]): Promise<void> {
    await this.#lookAt(pks, ({ collectionPk, item }) => {
      this.#addRow(collectionPk, timeOf(item).datetimeMicros ?? NaN);
      for (const [name, counter] of this.#counters) counter.add(propertiesOf(item)[name]);
    });
  }

  /** The whole, with the names of the collections. */
  build(collections: readonly { pk: number; id: string }[]): AnswerSummary {
    const idByPk = new Map(collections.map(({ pk, id }) => [pk, id]));
    const byMonth = new Map<string, number>();
    for (const [day, itemCount] of [...this.#byDay].toSorted(([a], [b]) => a - b)) {
      const month = monthOfDay(day);
      byMonth.set(month, (byMonth.get(month) ?? 0) + itemCount);
    }
    return {
      itemCount: this.#itemCount,
      collections: [...this.#byCollection]
        .map(([pk, itemCount]) => ({ collectionId: idByPk.get(pk) ?? '', itemCount }))
        .sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1)),
      months: [...byMonth].map(([month, itemCount]) => ({ month, itemCount })),
      undatedCount: this.#undatedCount,
      properties: this.#counters.map(([, counter]) => counter.summarise()),
    };
  }

  #addRow(collectionPk: number, micros: number): void {
    this.#itemCount += 1;
    this.#byCollection.set(collectionPk, (this.#byCollection.get(collectionPk) ?? 0) + 1);
    if (Number.isNaN(micros)) this.#undatedCount += 1;
    else {
      const day = Math.floor(micros / dayMicros);
      this.#byDay.set(day, (this.#byDay.get(day) ?? 0) + 1);
    }
  }
}

/** Row numbers by the block that they are of. */
export function groupByBlock(pks: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const pk of pks) {
    const group = groups.get(pk >> blockBits);
    if (group) group.push(pk);
    else groups.set(pk >> blockBits, [pk]);
  }
  return groups;
}

// Counts what a column says of Items, and gives those that have to be looked at.
function addChunk(counter: ValueCounter, chunk: ColumnChunk, pks: readonly number[]): number[] {
  switch (chunk.kind) {
    case 'numbers': {
      const read = createNumberReader(chunk);
      for (const pk of pks) {
        const value = read(pk % blockSize);
        if (!Number.isNaN(value)) counter.add(value);
      }
      return [];
    }
    case 'times': {
      const micros = createNumberReader(chunk);
      for (const pk of pks) {
        const value = micros(pk % blockSize);
        if (!Number.isNaN(value)) counter.add(formatMicros(value, chunk.digits));
      }
      return [];
    }
    case 'hashes':
      return pks.filter((pk) => chunk.hashes[pk % blockSize] !== noValue);
    case 'dictionary':
      return addDictionary(counter, chunk, pks);
  }
}

// Each listed value once, with how often it is there.
function addDictionary(
  counter: ValueCounter,
  { codes, places, pool }: DictionaryChunk,
  pks: readonly number[],
): number[] {
  const counts = new Uint32Array(places.length + firstCode);
  for (const pk of pks) {
    const code = codes[pk % blockSize] ?? noValue;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  places.forEach((place, index) => {
    const itemCount = counts[index + firstCode] ?? 0;
    if (itemCount > 0) counter.add(pool.values[place], itemCount);
  });
  return (counts[lookAtItem] ?? 0) === 0 ? [] : pks.filter((pk) => codes[pk % blockSize] === lookAtItem);
}

function monthOfDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().replace(/-\d\dT.*$/, '');
}
