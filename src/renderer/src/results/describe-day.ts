import { formatDecimal, formatPlural } from '../format/format-number.ts';
import { formatLongDate } from '../format/format-time.ts';
import type { ResultDay } from '../state/results-days.ts';
import { formatPercent } from './format-percent.ts';

/** `14 July 2026`; items without a date stand under their own heading. */
export function nameDay(day: string | null): string {
  return day === null ? 'No date' : formatLongDate(day);
}

/** The span of cloud cover of a day, `2–40 %`; null when none is known. */
export function describeDayCloud({ minCloud, maxCloud }: ResultDay): string | null {
  if (minCloud === null || maxCloud === null) return null;
  const [least, most] = [formatDecimal(minCloud, 0), formatDecimal(maxCloud, 0)];
  return least === most ? `${least}\u00a0%` : `${least}–${most}\u00a0%`;
}

/** A day's heading for the ear, before its first row. */
export function describeDay(day: ResultDay, coverage: number | null): string {
  const cloud = describeDayCloud(day);
  return [
    `${nameDay(day.day)}, ${formatPlural(day.count, 'item')}`,
    cloud && `cloud ${cloud}`,
    coverage !== null && `together ${formatPercent(coverage)} of the area`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}
