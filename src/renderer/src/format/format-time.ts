const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Date and time of an RFC 3339 timestamp in UTC: `2026-07-14` and `10:40:31Z`; null when it can't be read. */
export function splitUtc(timestamp: string | null): { date: string; time: string } | null {
  const parsed = timestamp === null ? NaN : Date.parse(timestamp);
  if (Number.isNaN(parsed)) return null;
  const iso = new Date(parsed).toISOString();
  return { date: iso.slice(0, 10), time: `${iso.slice(11, 19)}Z` };
}

/** `14 July 2026, 10:40:31 UTC`; null when it can't be read. */
export function formatLongUtc(timestamp: string | null): string | null {
  const parts = splitUtc(timestamp);
  return parts && `${formatLongDate(parts.date)}, ${parts.time.slice(0, 8)} UTC`;
}

/** `14 July 2026` of `2026-07-14`. */
export function formatLongDate(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${months[Number(month) - 1] ?? month} ${year}`;
}

/** The days of a span in UTC, `1–31 October 2026`; null when an end can't be read. */
export function formatLongSpan(start: string | null, end: string | null): string | null {
  const [from, to] = [splitUtc(start)?.date, splitUtc(end)?.date];
  if (from === undefined || to === undefined) return null;
  if (from === to) return formatLongDate(from);
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))}–${formatLongDate(to)}`;
  return `${formatLongDate(from)} – ${formatLongDate(to)}`;
}

/** `14:02 UTC`, with the date in front when it is not today's. */
export function formatClock(timestamp: string, now: Date, { hasSeconds = false } = {}): string {
  const parts = splitUtc(timestamp);
  if (!parts) return 'an unknown time';
  const clock = `${parts.time.slice(0, hasSeconds ? 8 : 5)} UTC`;
  return parts.date === now.toISOString().slice(0, 10) ? clock : `${parts.date} ${clock}`;
}

/** `14:02:30 UTC`, for times that are near; null when it can't be read. */
export function formatMoment(timestamp: string | null): string | null {
  const parts = splitUtc(timestamp);
  return parts && `${parts.time.slice(0, 8)} UTC`;
}

/** `12 s`, `4 min`, `2 h 5 min`, `3 d`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.round(hours / 24)} d`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

const longestToldDays = 30;

/** How long something is still to take; null where its rate says nothing of that, as that of a few tiny files does. */
export function formatTimeLeft(seconds: number): string | null {
  return seconds > longestToldDays * 86_400 ? null : formatDuration(seconds);
}
