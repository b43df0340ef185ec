import type { ResultDay } from '../state/results-days.ts';

/** A row's position in `shown`, or −1 − n for the heading of the n-th day. Numbers, since there may be 100,000. */
export type ListEntry = number;

/** What a list shows from top to bottom: rows, and before the first one of each day its heading. */
export function toEntries(rowCount: number, days: readonly ResultDay[]): ListEntry[] {
  if (days.length === 0) return Array.from({ length: rowCount }, (_, position) => position);
  const entries: ListEntry[] = [];
  for (const [number, { start, count }] of days.entries()) {
    entries.push(-1 - number);
    for (let position = start; position < start + count; position++) entries.push(position);
  }
  return entries;
}

/** Which day an entry is the heading of; null for a row. */
export function dayOfEntry(entry: ListEntry, days: readonly ResultDay[]): ResultDay | null {
  return entry < 0 ? (days[-1 - entry] ?? null) : null;
}

/** The place in the list of the row at a position. */
export function entryOfPosition(position: number, days: readonly ResultDay[]): number {
  return position + days.findLastIndex(({ start }) => start <= position) + 1;
}

/** The day whose first row stands at a position; null for other rows. */
export function dayThatBegins(position: number, days: readonly ResultDay[]): ResultDay | null {
  const day = days[days.findLastIndex(({ start }) => start <= position)];
  return day?.start === position ? day : null;
}
