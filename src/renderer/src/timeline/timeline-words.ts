import { formatLongDate, formatLongSpan } from '../format/format-time.ts';
import { nextStart, startOf, type TimelineUnit } from './timeline-bins.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The day in UTC of a time, `YYYY-MM-DD`. */
export function toDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, -14);
}

/** The bar that a time lies in, in words: `14 July 2026`, `6–12 July 2026`, `Jul 2026`, `2026`. */
export function nameBar(unit: TimelineUnit, epochMs: number): string {
  const startMs = startOf(unit, epochMs);
  const day = toDay(startMs);
  if (unit === 'day') return formatLongDate(day);
  if (unit === 'year') return day.slice(0, -6);
  if (unit === 'month') return `${months[new Date(startMs).getUTCMonth()] ?? ''} ${day.slice(0, -6)}`;
  return nameSpan(startMs, nextStart(unit, startMs) - 1);
}

/** The days of a span in UTC, both included. */
export function nameSpan(startMs: number, lastMs: number): string {
  return formatLongSpan(new Date(startMs).toISOString(), new Date(lastMs).toISOString()) ?? '';
}

/** A mark under the bars. */
export interface TimelineTick {
  epochMs: number;
  text: string;
}

/** Distances of marks, closest first; months and years stand at round numbers of them. */
const spacings: readonly { unit: 'week' | 'month' | 'year'; step: number }[] = [
  { unit: 'week', step: 1 },
  { unit: 'month', step: 1 },
  { unit: 'month', step: 3 },
  { unit: 'month', step: 6 },
  { unit: 'year', step: 1 },
  { unit: 'year', step: 5 },
  { unit: 'year', step: 20 },
];

/** Marks for a span, at most `maxCount`: weeks, months or years, whichever fit. */
export function toTicks(startMs: number, endMs: number, maxCount: number): TimelineTick[] {
  for (const { unit, step } of spacings) {
    const ticks = ticksOf({ unit, step }, startMs, endMs);
    if (ticks.length <= maxCount) return ticks;
  }
  return [];
}

function ticksOf(
  { unit, step }: { unit: 'week' | 'month' | 'year'; step: number },
  startMs: number,
  endMs: number,
): TimelineTick[] {
  const ticks: TimelineTick[] = [];
  let epochMs = startOf(unit, startMs);
  if (epochMs < startMs) epochMs = nextStart(unit, epochMs);
  for (; epochMs < endMs && ticks.length < 500; epochMs = nextStart(unit, epochMs)) {
    const date = new Date(epochMs);
    const number = unit === 'year' ? date.getUTCFullYear() : date.getUTCMonth();
    if (unit === 'week' || number % step === 0) ticks.push({ epochMs, text: nameTick(unit, epochMs) });
  }
  return ticks;
}

function nameTick(unit: 'week' | 'month' | 'year', epochMs: number): string {
  const date = new Date(epochMs);
  const month = months[date.getUTCMonth()] ?? '';
  if (unit === 'year') return String(date.getUTCFullYear());
  if (unit === 'week') return `${date.getUTCDate()} ${month}`;
  return date.getUTCMonth() === 0 ? `${month} ${date.getUTCFullYear()}` : month;
}
