import { toEpochMicros } from '#shared/stac/timestamp.ts';

const dayMs = 86_400_000;
const dayPattern = /^(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})$/;
// The time of day after the day; without a zone it is UTC.
const timePattern = /^(.+?)[Tt ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?\s*([Zz]|UTC|[+-]\d{2}:\d{2})?$/;

/** Days that a quick range reaches back. */
export const quickRanges = [
  { id: '7d', label: '7 d', days: 7 },
  { id: '30d', label: '30 d', days: 30 },
  { id: '90d', label: '90 d', days: 90 },
  { id: 'year', label: 'Year', days: 365 },
] as const;

/** Today's date in UTC, `YYYY-MM-DD`. */
export function todayUtc(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The last `days` days up to today, both ends included. */
export function lastDays(days: number, now: Date): { kind: 'span'; from: string; to: string } {
  return { kind: 'span', from: todayUtc(new Date(now.getTime() - days * dayMs)), to: todayUtc(now) };
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  // Date rolls 31 February over instead of refusing it.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** Why a typed text is neither a day nor a moment, in words; null when it is one, or nothing. */
export function explainMoment(text: string): string | null {
  const typed = text.trim();
  if (typed === '' || readMoment(typed) !== null) return null;
  if (dayPattern.test(typed)) return 'There is no such day';
  const day = timePattern.exec(typed)?.[1];
  if (day !== undefined && readDay(day) !== null) return 'There is no such time of day';
  return day !== undefined && dayPattern.test(day.trim())
    ? 'There is no such day'
    : 'Write it as 2026-05-01 or 2026-05-01 10:30';
}

/** A typed date in the one form that is kept; null when it is none. Takes `2026-5-1`, `20260501` and `2026/05/01`. */
export function readDay(text: string): string | null {
  const match = dayPattern.exec(text.trim());
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  const normal = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(normal) ? normal : null;
}

/**
 * A typed day, `YYYY-MM-DD`, or a day with its time, RFC 3339; null when it is neither. Takes `2026-5-1 9:30`, and
 * keeps what is RFC 3339 already.
 */
export function readMoment(text: string): string | null {
  const typed = text.trim();
  if (toEpochMicros(typed) !== null) return typed.replace(' ', 'T');
  const match = timePattern.exec(typed);
  if (!match) return readDay(typed);
  const [, day = '', hours = '', minutes = '', seconds = '00', fraction = '', zone = 'Z'] = match;
  const offset = /^(?:z|utc)$/i.test(zone) ? 'Z' : zone;
  const moment = `${readDay(day) ?? ''}T${hours.padStart(2, '0')}:${minutes}:${seconds}${fraction}${offset}`;
  return toEpochMicros(moment) === null ? null : moment;
}
