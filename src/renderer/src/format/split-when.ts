import type { ItemRow } from '#shared/stac/item-row.ts';
import { splitUtc } from './format-time.ts';

/** When the Item of a row was taken. */
export type RowTime = Pick<ItemRow, 'datetime' | 'endDatetime'>;

/** The day and the time of day of an Item in UTC, or the days of its span and no time; null when it doesn't say. */
export function splitWhen({ datetime, endDatetime }: RowTime): { date: string; time: string | null } | null {
  const start = splitUtc(datetime);
  const end = splitUtc(endDatetime ?? null);
  if (!start || !end) return start;
  return { date: start.date === end.date ? start.date : `${start.date} – ${end.date}`, time: null };
}
