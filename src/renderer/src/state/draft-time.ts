import { formatDatetime } from '#shared/stac/datetime-interval.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import { isDay } from './day-range.ts';

/**
 * When. Ends of a span are days in UTC, `YYYY-MM-DD`, or RFC 3339 moments; empty is open. What is neither stays as
 * typed, and can't be asked. `written`: a `datetime` in a form that the other kinds would write differently.
 */
export type DraftTime =
  | { kind: 'span'; from: string; to: string }
  | { kind: 'exact'; at: string }
  | { kind: 'written'; datetime: string };

/** Any time. */
export const anyTime: DraftTime = { kind: 'span', from: '', to: '' };

/** The time as the `datetime` of the request. A day at an end is the whole day, to its last millisecond. */
export function toDatetime(time: DraftTime): string | undefined {
  switch (time.kind) {
    case 'written':
      return time.datetime;
    case 'exact':
      return time.at === '' ? undefined : isDay(time.at) ? wholeDay(time.at) : time.at;
    case 'span':
      return formatDatetime({
        start: isDay(time.from) ? startOfDay(time.from) : time.from,
        end: isDay(time.to) ? endOfDay(time.to) : time.to,
      });
  }
}

/** The draft of a `datetime`, such that `toDatetime` writes the same again. */
export function fromDatetime(datetime: string | undefined): DraftTime {
  if (datetime === undefined) return anyTime;
  const drafts: DraftTime[] = [toSpan(datetime), { kind: 'exact', at: datetime }];
  const draft = drafts.find((one) => toDatetime(one) === datetime && hasReadableEnds(one));
  return draft ?? { kind: 'written', datetime };
}

/** The ends of any time, as far as they can be read: what the two fields show. */
export function endsOf(time: DraftTime): { from: string; to: string } {
  if (time.kind === 'span') return { from: time.from, to: time.to };
  if (time.kind === 'exact') return { from: time.at, to: time.at };
  const { from, to } = toSpan(time.datetime);
  return { from, to };
}

function toSpan(datetime: string): { kind: 'span'; from: string; to: string } {
  const [start = '', end = ''] = splitEnds(datetime.trim());
  return { kind: 'span', from: dayOf(start, startOfDay), to: dayOf(end, endOfDay) };
}

function splitEnds(datetime: string): string[] {
  if (datetime.includes('/')) return datetime.split('/').map((end) => (end === '..' ? '' : end));
  if (datetime.endsWith('..')) return [datetime.slice(0, -2), ''];
  return datetime.startsWith('..') ? ['', datetime.slice(2)] : [datetime, datetime];
}

// A span that begins and ends with the same moment is that moment, for a person too.
function hasReadableEnds(time: DraftTime): boolean {
  if (time.kind === 'exact') return toEpochMicros(time.at) !== null;
  return time.kind !== 'span' || time.from === '' || time.from !== time.to || isDay(time.from);
}

function dayOf(moment: string, write: (day: string) => string): string {
  const day = moment.slice(0, 10);
  return isDay(day) && write(day) === moment ? day : moment;
}

function startOfDay(day: string): string {
  return `${day}T00:00:00Z`;
}

function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}

function wholeDay(day: string): string {
  return `${startOfDay(day)}/${endOfDay(day)}`;
}
