const dayMs = 86_400_000;
const dayPattern = /^(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})$/;

/** Days that a quick range reaches back. */
export const quickRanges = [
  { id: '30d', label: '30 d', days: 30 },
  { id: '90d', label: '90 d', days: 90 },
  { id: 'year', label: 'Year', days: 365 },
] as const;

/** Today's date in UTC, `YYYY-MM-DD`. */
export function todayUtc(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The last `days` days up to today, both ends included. */
export function lastDays(days: number, now: Date): { fromDate: string; toDate: string } {
  return { fromDate: todayUtc(new Date(now.getTime() - days * dayMs)), toDate: todayUtc(now) };
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  // Date rolls 31 February over instead of refusing it.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** Why a typed text is no day, in words; null when it is one, or nothing. */
export function explainDay(text: string): string | null {
  if (text.trim() === '' || readDay(text) !== null) return null;
  return dayPattern.test(text.trim()) ? 'There is no such day' : 'Write it as 2026-05-01';
}

/** A typed date in the one form that is kept; null when it is none. Takes `2026-5-1`, `20260501` and `2026/05/01`. */
export function readDay(text: string): string | null {
  const match = dayPattern.exec(text.trim());
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  const normal = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(normal) ? normal : null;
}
