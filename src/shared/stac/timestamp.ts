const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Microseconds since 1970-01-01T00:00:00Z of an RFC 3339 timestamp, or null when it is none.
 * Catalogs send microseconds (`…18.171798Z`), which `Date` would cut to milliseconds; digits beyond are dropped.
 */
export function toEpochMicros(text: string): number | null {
  const match = rfc3339.exec(text.trim());
  if (!match) return null;
  const [, date = '', time = '', fraction = '', zone = ''] = match;
  const wholeSecondsMs = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  // Date.parse rolls 31 February over instead of refusing it.
  if (Number.isNaN(wholeSecondsMs) || !isCalendarDate(date)) return null;
  return wholeSecondsMs * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

/** RFC 3339 in UTC with as many fraction digits as needed: none, 3 or 6. */
export function fromEpochMicros(epochMicros: number): string {
  const epochMs = Math.floor(epochMicros / 1000);
  const micros = epochMicros - epochMs * 1000;
  const iso = new Date(epochMs).toISOString();
  if (micros > 0) return `${iso.slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso;
}

function isCalendarDate(date: string): boolean {
  const day = Number(date.slice(8));
  return day <= 28 || new Date(`${date}T00:00:00Z`).getUTCDate() === day;
}
