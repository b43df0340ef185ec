import { SvelteSet } from 'svelte/reactivity';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { NumberColumn, TextColumn, type CellValue, type Column } from './results-columns.ts';
import { builtIn, type ResultTable } from './results-table.ts';
import type { SearchState } from './search-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** A property that rows of the answer have. */
export type PropertySummary = Awaited<ReturnType<SwathClient['search']['columns']>>['columns'][number];

/** Fetched by nobody: every answer has them. */
const builtInNames: readonly string[] = Object.values(builtIn);

/** Properties of the answer's items beyond those that rows bring along; fetched one by one when they are wanted. */
export class ResultsProperties {
  readonly #session: Session;
  readonly #search: SearchState;
  readonly #onColumn: (name: string) => void;
  /** Asked for, until the answer is another. */
  readonly #wanted = new SvelteSet<string>();
  #table: ResultTable | null = null;
  #fetchedRowCount = 0;
  #list = $state.raw<readonly PropertySummary[]>([]);
  #listedRowCount = -1;
  #error = $state.raw<AppError | null>(null);

  constructor(session: Session, search: SearchState, onColumn: (name: string) => void) {
    this.#session = session;
    this.#search = search;
    this.#onColumn = onColumn;
  }

  /** The properties, as far as `learn` has asked. */
  get list(): readonly PropertySummary[] {
    return this.#list;
  }

  /** Why the last property didn't come. */
  get error(): AppError | null {
    return this.#error;
  }

  /** Forgets what belongs to an earlier answer; columns of `stillWanted` are fetched for this one too. */
  begin(table: ResultTable, stillWanted: Iterable<string>): void {
    this.#table = table;
    this.#wanted.clear();
    for (const name of stillWanted) this.#wanted.add(name);
    this.#fetchedRowCount = 0;
    this.#listedRowCount = -1;
    this.#error = null;
  }

  /** Asks which properties there are, unless that is known of all rows. */
  async learn(): Promise<void> {
    const result = this.#search.result;
    const table = this.#table;
    if (!result || this.#listedRowCount === this.#search.givenCount) return;
    this.#listedRowCount = this.#search.givenCount;
    try {
      const { columns } = await this.#session.client.search.columns({ searchId: result.searchId });
      if (table === this.#table) this.#list = columns.filter(({ name }) => !builtInNames.includes(name));
    } catch (thrown) {
      this.#listedRowCount = -1;
      this.#error = toAppError(thrown);
    }
  }

  /** Sees to it that a property is a column of the table, now and when more rows have come. */
  want(name: string): void {
    if (builtInNames.includes(name) || this.#wanted.has(name)) return;
    this.#wanted.add(name);
    void this.#fetch(name);
  }

  /** Fetches wanted properties of new rows: when no more come for now, or their number has doubled. */
  refresh(): void {
    const { givenCount, phase } = this.#search;
    if (this.#wanted.size === 0 || givenCount === this.#fetchedRowCount) return;
    if (phase === 'streaming' && givenCount < this.#fetchedRowCount * 2) return;
    this.#fetchedRowCount = givenCount;
    for (const name of this.#wanted) void this.#fetch(name);
  }

  async #fetch(name: string): Promise<void> {
    const searchId = this.#search.result?.searchId;
    const table = this.#table;
    if (searchId === undefined || !table) return;
    try {
      const { values } = await this.#session.client.search.column({ searchId, name });
      if (table !== this.#table) return;
      table.setColumn(name, toColumn(values, table));
      this.#error = null;
      this.#onColumn(name);
    } catch (thrown) {
      if (table === this.#table) this.#error = toAppError(thrown);
    }
  }
}

/** A column of the kind that the values have; texts where they differ. */
function toColumn(given: readonly CellValue[], table: ResultTable): Column {
  const values = table.givenIndexes.map((index) => given[index] ?? null);
  if (values.every((value) => value === null || typeof value === 'number')) {
    const column = new NumberColumn();
    for (const value of values) column.push(value);
    return column;
  }
  const column = new TextColumn();
  for (const value of values) column.push(toText(value));
  return column;
}

function toText(value: CellValue): string | null {
  if (value === null) return null;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
