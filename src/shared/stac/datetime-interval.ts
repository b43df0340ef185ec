import { AppError } from '../errors/app-error.ts';
import { toEpochMicros } from './timestamp.ts';

/** A span of time, both ends included, in microseconds since 1970 UTC. A null end is open. */
export interface DatetimeInterval {
  startMicros: number | null;
  endMicros: number | null;
}

/**
 * Reads a `datetime` search parameter (catalog-service.md §4.6): exact, from–to, `<ts>..`, `..<ts>`,
 * and the standard `<ts>/..`, `../<ts>`, `<ts>/`, `/<ts>`.
 * @throws AppError `input.invalid`
 */
export function parseDatetimeInterval(text: string): DatetimeInterval {
  const [startText, endText] = splitInterval(text.trim());
  const interval = { startMicros: parseEnd(startText, text), endMicros: parseEnd(endText, text) };
  const { startMicros, endMicros } = interval;
  if (startMicros === null && endMicros === null) throw invalid(text, 'at least one end needs a timestamp');
  if (startMicros !== null && endMicros !== null && startMicros > endMicros) {
    throw invalid(text, 'it ends before it starts');
  }
  return interval;
}

/** Writes a `datetime` parameter from RFC 3339 ends, as catalog-service.md §4.6 does; undefined when both are missing. */
export function formatDatetime(ends: {
  start?: string | undefined;
  end?: string | undefined;
}): string | undefined {
  const { start, end } = ends;
  if (start && end) return start === end ? start : `${start}/${end}`;
  if (start) return `${start}..`;
  return end ? `..${end}` : undefined;
}

function splitInterval(text: string): [string, string] {
  if (text.includes('/')) {
    const [start = '', end = '', ...rest] = text.split('/');
    if (rest.length > 0) throw invalid(text, 'it has more than one slash');
    return [start, end];
  }
  if (text.endsWith('..')) return [text.slice(0, -2), ''];
  if (text.startsWith('..')) return ['', text.slice(2)];
  return [text, text];
}

function parseEnd(end: string, whole: string): number | null {
  if (end === '' || end === '..') return null;
  const micros = toEpochMicros(end);
  if (micros !== null) return micros;
  const example = `${dateAlone.test(end) ? end : '2026-06-01'}T00:00:00Z`;
  throw invalid(whole, `"${end.slice(0, 40)}" is not an RFC 3339 timestamp, such as ${example}`);
}

const dateAlone = /^\d{4}-\d{2}-\d{2}$/;

function invalid(text: string, why: string): AppError {
  return new AppError('input.invalid', `datetime "${text.slice(0, 80)}" can't be read: ${why}`, {
    details: { field: 'datetime', why },
  });
}
