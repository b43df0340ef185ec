import type { Geometry } from 'geojson';
import type { CoverageEngine, StartCoverageEngine } from '../coverage/coverage-engine.ts';
import type { CoverageAnswer } from '../coverage/coverage-messages.ts';
import { builtIn, type ResultTable } from './results-table.ts';

/** Rows sent at once: copying their footprints to the worker takes a few milliseconds. */
const chunk = 400;

interface DayGroup {
  key: string;
  indexes: Uint32Array;
  percent: number | null;
}

/** Fills the columns of coverage while rows come: of each row, and of each day's rows together. */
export class ResultsCoverage {
  readonly #start: StartCoverageEngine;
  readonly #onColumn: (name: string) => void;
  #engine: CoverageEngine | null = null;
  #table: ResultTable | null = null;
  #sentCount = 0;
  #measuredCount = 0;
  #groups = new Map<string, DayGroup>();
  #keyCount = 0;

  constructor(start: StartCoverageEngine, onColumn: (name: string) => void) {
    this.#start = start;
    this.#onColumn = onColumn;
  }

  /** Whether the answer's question had an area. */
  get isMeasuring(): boolean {
    return this.#engine !== null;
  }

  /** Whether every row that came has been measured. */
  get isSettled(): boolean {
    return this.#measuredCount === this.#sentCount;
  }

  /** Begins with a new answer. */
  begin(table: ResultTable, area: Geometry | null): void {
    this.#engine?.stop();
    this.#engine = null;
    this.#table = table;
    this.#sentCount = 0;
    this.#measuredCount = 0;
    this.#groups = new Map();
    if (!area) return;
    const engine = this.#start((answer) => {
      if (this.#engine === engine) this.#take(answer);
    });
    this.#engine = engine;
    engine.send({ kind: 'area', area });
  }

  /** Sends rows that came since. */
  append(): void {
    const rows = this.#table?.rows ?? [];
    if (!this.#engine) return;
    while (this.#sentCount < rows.length) {
      const from = this.#sentCount;
      const footprints = rows.slice(from, from + chunk).map(({ footprint }) => footprint as Geometry | null);
      this.#sentCount += footprints.length;
      this.#engine.send({ kind: 'rows', from, footprints });
    }
  }

  /** Asks for the coverage of days, by the rows that count for each. What is known or on its way isn't asked again. */
  needDays(days: ReadonlyMap<string, Uint32Array>): void {
    if (!this.#engine || !this.isSettled) return;
    for (const [day, indexes] of days) {
      if (isSame(indexes, this.#groups.get(day)?.indexes)) continue;
      const key = `${day}#${++this.#keyCount}`;
      this.#groups.set(day, { key, indexes, percent: null });
      this.#engine.send({ kind: 'group', key, indexes });
    }
  }

  /** Per cent of the area that a day's rows cover together; null while it isn't known, or can't be. */
  percentOfDay(day: string): number | null {
    return this.#groups.get(day)?.percent ?? null;
  }

  #take(answer: CoverageAnswer): void {
    const table = this.#table;
    if (!table) return;
    if (answer.kind === 'rows') {
      for (const [place, percent] of answer.percents.entries())
        table.coverage.set(answer.from + place, percent);
      this.#measuredCount += answer.percents.length;
      this.#onColumn(builtIn.coverage);
      return;
    }
    const group = this.#groups.get(answer.key.slice(0, answer.key.indexOf('#')));
    if (group?.key !== answer.key) return;
    group.percent = Number.isNaN(answer.percent) ? null : answer.percent;
    for (const index of group.indexes) table.dayCoverage.set(index, answer.percent);
    this.#onColumn(builtIn.dayCoverage);
  }
}

function isSame(indexes: Uint32Array, others: Uint32Array | undefined): boolean {
  return indexes.length === others?.length && indexes.every((index, place) => index === others[place]);
}
