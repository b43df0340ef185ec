import { isJsonObject } from '#shared/stac/json.ts';
import type { StacItem } from '#shared/stac/item.ts';

/** One value of a property; null where an Item has none. */
export type Cell = string | number | boolean | null;

/** A property that some rows have. */
export interface ColumnSummary {
  name: string;
  kind: 'number' | 'text' | 'boolean' | 'time';
  presentCount: number;
}

/** The properties of many Items, kept one property beside the other instead of one Item after the other. */
export interface ColumnStore {
  /** Adds rows. Once the memory that it may take is used up, further rows are left out. */
  add(items: readonly StacItem[]): void;
  /** Rows, from the first, whose properties are kept. */
  readonly coveredCount: number;
  summaries(): ColumnSummary[];
  /** The values of a property in the order of the rows; shorter than their number where the last ones have none. */
  values(name: string): readonly Cell[];
}

/** Properties beyond these are passed over: a facet of a thousand properties helps nobody. */
const maxColumns = 400;
/** A longer text is prose or a geometry, and no value to group by. */
const maxTextLength = 400;
/** Rows that wait to be taken apart until somebody asks. */
const maxPending = 1000;
const cellBytes = 16;
const textBytes = 80;
const timestamp = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

interface Column {
  cells: Cell[];
  presentCount: number;
  kind: ColumnSummary['kind'];
  /** Each text once, however many rows have it. */
  texts: Map<string, string>;
}

/** An empty store that takes about `maxBytes` of memory at most. */
export function createColumnStore({ maxBytes }: { maxBytes: number }): ColumnStore {
  const columns = new Map<string, Column>();
  let bytes = 0;
  let rowCount = 0;
  /** Not taken apart yet: a page is on its way to the window before its columns are wanted. */
  let pending: unknown[] = [];

  function addRow(properties: unknown): void {
    if (isJsonObject(properties)) {
      for (const name of Object.keys(properties)) {
        const cell = toCell(properties[name]);
        const column = cell === null ? null : findColumn(name);
        if (column) addCell(column, cell as NonNullable<Cell>);
      }
    }
    rowCount += 1;
  }

  function findColumn(name: string): Column | null {
    const found = columns.get(name);
    if (found || columns.size >= maxColumns) return found ?? null;
    const column: Column = { cells: [], presentCount: 0, kind: 'time', texts: new Map() };
    columns.set(name, column);
    return column;
  }

  function addCell(column: Column, cell: NonNullable<Cell>): void {
    const { cells, texts } = column;
    bytes += (rowCount + 1 - cells.length) * cellBytes;
    while (cells.length < rowCount) cells.push(null);
    column.kind = column.presentCount === 0 ? kindOf(cell) : commonKind(column.kind, cell);
    column.presentCount += 1;
    if (typeof cell !== 'string') {
      cells.push(cell);
      return;
    }
    const known = texts.get(cell);
    if (known === undefined) {
      texts.set(cell, cell);
      bytes += textBytes + cell.length;
    }
    cells.push(known ?? cell);
  }

  function build(): void {
    for (const properties of pending) if (bytes < maxBytes) addRow(properties);
    pending = [];
  }

  return {
    add(items) {
      for (const item of items) pending.push(item['properties']);
      if (pending.length >= maxPending) build();
    },
    get coveredCount() {
      build();
      return rowCount;
    },
    summaries() {
      build();
      return [...columns].map(([name, { kind, presentCount }]) => ({ name, kind, presentCount }));
    },
    values(name) {
      build();
      const column = columns.get(name);
      if (!column) return [];
      // Catalogs mix types in one property; then all of it is text.
      return column.kind === 'text'
        ? column.cells.map((cell) => (cell === null ? null : String(cell)))
        : column.cells;
    },
  };
}

// Lists of words, such as instruments and polarisations, read as one text; other nested values are none.
function toCell(value: unknown): Cell {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return value;
    case 'string':
      return value === '' || value.length > maxTextLength ? null : value;
    default:
      return Array.isArray(value) ? toJoinedText(value) : null;
  }
}

function toJoinedText(values: readonly unknown[]): string | null {
  if (values.length === 0 || values.length > 20) return null;
  if (!values.every((value): value is string => typeof value === 'string')) return null;
  const text = values.join(', ');
  return text.length > maxTextLength ? null : text;
}

function kindOf(cell: NonNullable<Cell>): ColumnSummary['kind'] {
  if (typeof cell === 'string') return timestamp.test(cell) ? 'time' : 'text';
  return typeof cell === 'number' ? 'number' : 'boolean';
}

function commonKind(kind: ColumnSummary['kind'], cell: NonNullable<Cell>): ColumnSummary['kind'] {
  return kind === 'text' || kindOf(cell) !== kind ? 'text' : kind;
}
