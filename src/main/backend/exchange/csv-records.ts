import { stringify } from 'csv-stringify/sync';
import type { Cell } from './csv-cell.ts';

/** Cells as records of CSV (RFC 4180), each with its end. */
export function writeRecords(
  records: readonly (readonly Cell[])[],
  recordEnd: '\r\n' | '\n' = '\r\n',
): string {
  return stringify([...records], {
    record_delimiter: recordEnd,
    // A spreadsheet begins a new record at either half of ours, and would run what follows.
    quoted_match: /[\r\n]/,
    cast: { object: (cell) => toOutput(cell) },
  });
}

// csv-stringify quotes by itself the other cells that would not be one otherwise.
function toOutput({ text, isQuoted }: Record<string, unknown>) {
  return { value: String(text), quoted: isQuoted === true, quoted_empty: isQuoted === true };
}
