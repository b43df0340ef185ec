const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;
const plainUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/**
 * Microseconds since 1970-01-01T00:00:00Z of an RFC 3339 timestamp, or null when it is none.
 * Catalogs send microseconds (`…18.171798Z`), which `Date` would cut to milliseconds; digits beyond are dropped. A leap
 * second, the last one of a UTC day (RFC 3339 §5.7), is the same as the one that follows it.
 */
export function toEpochMicros(text: string): number | null {
  return readPlainUtc(text) ?? readAny(text);
}

function readAny(text: string): number | null {
  const match = rfc3339.exec(text.trim());
  if (!match) return null;
  const [, date = '', time = '', fraction = '', zone = ''] = match;
  const isLeap = time.endsWith(':60');
  const knownTime = isLeap ? `${time.slice(0, -2)}59` : time;
  const knownMs = Date.parse(`${date}T${knownTime}${zone.toUpperCase()}`);
  // Date.parse rolls 31 February over instead of refusing it.
  if (Number.isNaN(knownMs) || !isCalendarDate(date)) return null;
  if (isLeap && !new Date(knownMs).toISOString().includes('T23:59:59')) return null;
  const wholeSecondsMs = isLeap ? knownMs + 1000 : knownMs;
  return wholeSecondsMs * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

// What nearly all catalogs write, `2026-05-01T10:00:00.123Z`, without a Date: a library reads millions of them. Null for
// any other form, and for a day or an hour that there isn't.
function readPlainUtc(text: string): number | null {
  if (!plainUtc.test(text)) return null;
  const [year, month, day] = [readDigits(text, 0, 4), readDigits(text, 5, 7), readDigits(text, 8, 10)];
  const [hour, minute, second] = [
    readDigits(text, 11, 13),
    readDigits(text, 14, 16),
    readDigits(text, 17, 19),
  ];
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (month < 1 || month > 12 || day < 1 || day > countDays(year, month)) return null;
  const end = text.length - 1;
  const fraction = end === 19 ? 0 : readDigits(text, 20, end) * 10 ** (26 - end);
  return ((toEpochDay(year, month, day) * 24 + hour) * 60 + minute) * 60e6 + second * 1e6 + fraction;
}

function readDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

function countDays(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

// Days since 1970 in the Gregorian calendar, years beginning in March so that the odd day is their last.
function toEpochDay(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
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
