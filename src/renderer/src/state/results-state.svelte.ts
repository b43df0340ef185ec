import { areaOfQuery } from '../coverage/area-of-query.ts';
import { startCoverageWorker, type StartCoverageEngine } from '../coverage/coverage-engine.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { readCell, type Column } from './results-columns.ts';
import { ResultsCoverage } from './results-coverage.ts';
import { rowsByDay, type ResultDay } from './results-days.ts';
import {
  countNumbers,
  countTexts,
  type CountedRows,
  type NumberHistogram,
  type TextCount,
} from './results-facets.ts';
import { noFilters, withFilter, type ResultFilter, type ResultFilters } from './results-filter.ts';
import type { ResultOrder } from './results-order.ts';
import { ResultsProperties } from './results-properties.svelte.ts';
import { builtIn, ResultTable } from './results-table.ts';
import { catalogOrder, createEmptyView, dependsOn, type ResultsView } from './results-view.ts';
import type { RowsEvent, SearchState } from './search-state.svelte.ts';
import type { Session } from './session.svelte.ts';
import { ViewBuilder } from './view-builder.ts';

/** How results stand beside the map. */
export type ResultsLayout = 'list' | 'table';

/** What is shown of the answer: its rows after local filters, in local order, by day or not. */
export class ResultsState {
  readonly properties: ResultsProperties;
  readonly #search: SearchState;
  readonly #coverage: ResultsCoverage;
  readonly #builder: ViewBuilder;
  #table = new ResultTable();
  #filters = $state.raw<ResultFilters>(noFilters);
  #order = $state.raw<ResultOrder>(catalogOrder);
  #isByDay = $state(false);
  #layout = $state<ResultsLayout>('list');
  #view = $state.raw<ResultsView>(createEmptyView());
  /** Counts changes of values that leave the view as it is. */
  #valuesVersion = $state(0);
  #hasArea = $state(false);
  readonly #positions = $derived.by(() => toPositions(this.#view));

  constructor(
    session: Session,
    search: SearchState,
    startCoverage: StartCoverageEngine = startCoverageWorker,
  ) {
    this.#search = search;
    this.#builder = new ViewBuilder({
      table: () => this.#table,
      wish: () => ({
        filters: this.#filters,
        order: this.#order,
        isByDay: this.#isByDay && this.#layout === 'list',
      }),
      current: () => this.#view,
      onView: (view) => {
        this.#view = view;
        this.#followUp();
      },
      onValues: () => (this.#valuesVersion += 1),
    });
    const noteColumn = (name: string): void => this.#builder.noteColumn(name);
    this.#coverage = new ResultsCoverage(startCoverage, noteColumn);
    this.properties = new ResultsProperties(session, search, noteColumn);
    search.onRows((event) => this.#take(event));
  }

  /** The rows to show, in order; a new array whenever they are others. List, map and timeline show these. */
  get shown(): readonly ItemRow[] {
    return this.#view.shown;
  }

  /** `shown` again, by the name under which the selection knows what a person sees. */
  get rows(): readonly ItemRow[] {
    return this.#view.shown;
  }

  /** The places of `shown` among all rows that the program gave. */
  get places(): number[] {
    const { indexes, table } = this.#view;
    return Array.from(indexes, (index) => table.givenIndexes[index] ?? index);
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

  get layout(): ResultsLayout {
    return this.#layout;
  }

  /** Whether the question that was answered had an area, so that rows have a coverage of it. */
  get hasArea(): boolean {
    return this.#hasArea;
  }

  /** Whether coverage of some row is still to come. */
  get isMeasuring(): boolean {
    this.#followValues();
    return this.#hasArea && !this.#coverage.isSettled;
  }

  /** Where an Item stands in `shown`; -1 when it isn't. */
  positionOf(ref: ItemRef | null): number {
    if (ref === null) return -1;
    return this.#positions[this.#view.table.indexOf(ref)] ?? -1;
  }

  /** The row of an Item, filtered or not; null when the answer has none. */
  rowOf(ref: ItemRef): ItemRow | null {
    const { table } = this.#view;
    return table.rows[table.indexOf(ref)] ?? null;
  }

  /** What the row at a position of `shown` has in a column; null for nothing, or when the column isn't here. */
  valueAt(position: number, column: string): string | number | null {
    const found = this.column(column);
    return found && readCell(found, this.#view.indexes[position] ?? -1);
  }

  /** A column of the answer; null while it isn't here. */
  column(name: string): Column | null {
    this.#followValues();
    return this.#view.table.column(name);
  }

  /** Per cent of the area that a day's rows cover together; null while it isn't known, or can't be. */
  coverageOfDay(day: string | null): number | null {
    this.#followValues();
    return day === null ? null : this.#coverage.percentOfDay(day);
  }

  /** Sets the condition on a column, or takes it away. */
  setFilter(column: string, filter: ResultFilter | null): void {
    this.#filters = withFilter(this.#filters, column, filter);
    this.properties.want(column);
    this.#builder.buildNow();
  }

  clearFilters(): void {
    if (this.#filters.size === 0) return;
    this.#filters = noFilters;
    this.#builder.buildNow();
  }

  orderBy(order: ResultOrder): void {
    this.#order = order;
    if (order.column !== null) this.properties.want(order.column);
    this.#builder.buildNow();
  }

  groupByDay(isByDay: boolean): void {
    this.#isByDay = isByDay;
    this.#builder.buildNow();
  }

  setLayout(layout: ResultsLayout): void {
    this.#layout = layout;
    this.#builder.buildNow();
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

  #take({ isNew, ...batch }: RowsEvent): void {
    if (isNew) this.#begin();
    this.#table.append(batch.rows, batch);
    this.#coverage.append();
    if (isNew) this.#builder.buildNow();
    else this.#builder.buildSoon();
  }

  /** A new answer begins unfiltered: what was chosen in another one may be nothing in this. The order stays. */
  #begin(): void {
    const query = this.#search.asked?.query;
    const area = query ? areaOfQuery(query) : null;
    this.#table = new ResultTable();
    this.#filters = noFilters;
    this.#hasArea = area !== null;
    this.#builder.reset();
    this.#coverage.begin(this.#table, area);
    this.properties.begin(this.#table, this.#order.column === null ? [] : [this.#order.column]);
  }

  /** Whoever reads values reads them again when they change. */
  #followValues(): number {
    return this.#valuesVersion;
  }

  /** Asks for what the view needs and doesn't have. */
  #followUp(): void {
    this.properties.refresh();
    const { wish, table } = this.#view;
    if (!this.#hasArea || !(wish.isByDay || dependsOn(wish, builtIn.dayCoverage))) return;
    this.#coverage.needDays(rowsByDay(table, this.countedRows(builtIn.dayCoverage)));
  }
}

function toPositions({ indexes, rowCount }: ResultsView): Int32Array {
  const positions = new Int32Array(rowCount).fill(-1);
  for (const [position, index] of indexes.entries()) positions[index] = position;
  return positions;
}
