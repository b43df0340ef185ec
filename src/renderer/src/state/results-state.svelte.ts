import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { readCell, type Column } from './results-columns.ts';
import {
  countNumbers,
  countTexts,
  type CountedRows,
  type NumberHistogram,
  type TextCount,
} from './results-facets.ts';
import { FilterMask, type ResultFilter, type ResultFilters } from './results-filter.ts';
import type { ResultOrder } from './results-order.ts';
import { runAtOnce, runInSlices } from './results-slices.ts';
import { ResultTable } from './results-table.ts';
import { buildView, dependsOn, type ResultDay, type ResultsView, type ViewWish } from './results-view.ts';
import type { RowsEvent, SearchState } from './search-state.svelte.ts';

/** While rows stream in, the window is brought up to date this often. */
const refreshMs = 250;

/** Rows that are gone through within one frame; more are gone through in slices. */
const maxAtOnce = 4000;

/** What is shown of the answer: its rows after local filters, in local order, by day or not. */
export class ResultsState {
  #table = new ResultTable();
  #filters = $state.raw<ResultFilters>(new Map());
  #order = $state.raw<ResultOrder>({ column: null, isDescending: false });
  #isByDay = $state(false);
  #view = $state.raw<ResultsView>(emptyView());
  #job = 0;
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isAgainWanted = false;
  /** Columns whose values changed since the view was made. */
  readonly #changed = new Set<string>();
  readonly #positions = $derived.by(() => toPositions(this.#view));

  constructor(search: SearchState) {
    search.onRows((event) => this.#take(event));
  }

  /** The rows to show, in order; a new array whenever it is another. List, map and timeline show these. */
  get shown(): readonly ItemRow[] {
    return this.#view.shown;
  }

  /** `shown` again, by the name under which the selection knows what a person sees. */
  get rows(): readonly ItemRow[] {
    return this.#view.shown;
  }

  /** The days of `shown`, in order; empty unless rows are grouped by day. */
  get days(): readonly ResultDay[] {
    return this.#view.days;
  }

  /** Rows of the whole answer, filtered or not. */
  get rowCount(): number {
    return this.#view.rowCount;
  }

  get filters(): ResultFilters {
    return this.#filters;
  }

  get order(): ResultOrder {
    return this.#order;
  }

  get isByDay(): boolean {
    return this.#isByDay;
  }

  /** Where an Item stands in `shown`; -1 when it isn't. */
  positionOf(ref: ItemRef | null): number {
    if (ref === null) return -1;
    const positions = this.#positions;
    return positions[this.#view.table.indexOf(ref)] ?? -1;
  }

  /** The row of an Item, filtered or not; null when the answer has none. */
  rowOf(ref: ItemRef): ItemRow | null {
    const { table } = this.#view;
    return table.rows[table.indexOf(ref)] ?? null;
  }

  /** The row index, for `valueAt`, of a position in `shown`. */
  indexAt(position: number): number {
    return this.#view.indexes[position] ?? -1;
  }

  /** What the row at a position of `shown` has in a column; null for nothing, or when the column isn't here. */
  valueAt(position: number, column: string): string | number | null {
    const found = this.#view.table.column(column);
    return found && readCell(found, this.indexAt(position));
  }

  /** A column of the answer; null while it isn't here. Read again after every change. */
  column(name: string): Column | null {
    return this.#view.table.column(name);
  }

  /** Sets the condition on a column, or takes it away. */
  setFilter(column: string, filter: ResultFilter | null): void {
    const filters = new Map(this.#filters);
    if (filter === null) filters.delete(column);
    else filters.set(column, filter);
    this.#filters = filters;
    this.#refresh();
  }

  clearFilters(): void {
    if (this.#filters.size === 0) return;
    this.#filters = new Map();
    this.#refresh();
  }

  orderBy(order: ResultOrder): void {
    this.#order = order;
    this.#refresh();
  }

  groupByDay(isByDay: boolean): void {
    this.#isByDay = isByDay;
    this.#refresh();
  }

  /** Rows that pass all filters but those on the given columns: what a facet on them counts. */
  countedRows(...except: readonly string[]): CountedRows {
    const { mask, rowCount } = this.#view;
    const bits = mask.bitsOf(...except);
    return { count: rowCount, passes: (index) => mask.passes(index, bits) };
  }

  /** How many rows have which text of a column; empty when it isn't here or holds numbers. */
  countTexts(name: string): TextCount[] {
    const column = this.column(name);
    return column?.kind === 'text' ? countTexts(column, this.countedRows(name)) : [];
  }

  /** How a column's numbers are spread; null when it isn't here or has none. */
  countNumbers(name: string, binCount: number): NumberHistogram | null {
    const column = this.column(name);
    return column?.kind === 'number' ? countNumbers(column, this.countedRows(name), binCount) : null;
  }

  /** Takes note of new values in a column of the table. */
  noteColumn(name: string): void {
    this.#changed.add(name);
    this.#refreshSoon();
  }

  /** The table of the answer; a new one for each. */
  get table(): ResultTable {
    return this.#table;
  }

  #take({ isNew, rows, givenIndexes, isNewSince }: RowsEvent): void {
    if (isNew) {
      this.#table = new ResultTable();
      this.#filters = new Map();
      this.#changed.clear();
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    }
    this.#table.append(rows, { givenIndexes, isNewSince });
    if (isNew) this.#refresh();
    else this.#refreshSoon();
  }

  /** Makes the view at once, or as soon as slices of work allow it; one that is being made is given up. */
  #refresh(): void {
    void this.#build();
  }

  /** Makes the view within a quarter of a second. */
  #refreshSoon(): void {
    if (this.#isBusy) this.#isAgainWanted = true;
    else this.#timer ??= setTimeout(() => void this.#build(), refreshMs);
  }

  async #build(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const job = ++this.#job;
    const table = this.#table;
    const wish: ViewWish = { filters: this.#filters, order: this.#order, isByDay: this.#isByDay };
    const changed = new Set(this.#changed);
    const work = buildView(table, wish, this.#reusableView(wish, changed));
    this.#isBusy = true;
    const view =
      table.rows.length <= maxAtOnce ? runAtOnce(work) : await runInSlices(work, () => job === this.#job);
    if (view === null || job !== this.#job) return;
    for (const name of changed) this.#changed.delete(name);
    this.#view = view;
    this.#isBusy = false;
    if (this.#isAgainWanted || this.#changed.size > 0) {
      this.#isAgainWanted = false;
      this.#refreshSoon();
    }
  }

  #reusableView(wish: ViewWish, changed: ReadonlySet<string>): ResultsView | null {
    const view = this.#view;
    if (view.table !== this.#table) return null;
    return [...changed].some((name) => dependsOn(wish, name)) ? null : view;
  }
}

function emptyView(): ResultsView {
  return {
    wish: { filters: new Map(), order: { column: null, isDescending: false }, isByDay: false },
    table: new ResultTable(),
    rowCount: 0,
    mask: new FilterMask(),
    sorted: null,
    indexes: new Uint32Array(0),
    shown: [],
    days: [],
  };
}

function toPositions({ indexes, rowCount }: ResultsView): Int32Array {
  const positions = new Int32Array(rowCount).fill(-1);
  for (const [position, index] of indexes.entries()) positions[index] = position;
  return positions;
}
