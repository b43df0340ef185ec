import { weekHours } from '#shared/settings/week-schedule.ts';
import { InvalidArgumentError } from 'commander';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const help = 'Hours are given as days and hours: "mon-fri 20-6, sat-sun".';

/**
 * Hours of a week from words such as `mon-fri 20-6, sat-sun`: days, and hours of the local clock, which may go past
 * midnight into the next day; without hours the whole day.
 * @throws InvalidArgumentError
 */
export function parseWeek(text: string): boolean[] {
  const hours = Array.from({ length: weekHours }, () => false);
  for (const part of text.toLowerCase().split(',')) {
    const { days: meant, start, length } = readPart(part.trim());
    for (const day of meant) {
      for (let hour = 0; hour < length; hour += 1) hours[(day * 24 + start + hour) % weekHours] = true;
    }
  }
  return hours;
}

/** The hours of a week as `parseWeek` reads them. */
export function writeWeek(hours: readonly boolean[]): string {
  const parts = days.map((name, day) => ({ name, spans: spansOf(hours.slice(day * 24, day * 24 + 24)) }));
  return parts.flatMap(({ name, spans }) => spans.map((span) => `${name} ${span}`)).join(', ');
}

function readPart(part: string): { days: number[]; start: number; length: number } {
  const match = /^([a-z]{3})(?:-([a-z]{3}))?(?:\s+(\d{1,2})-(\d{1,2}))?$/.exec(part);
  if (!match) throw new InvalidArgumentError(help);
  const [, first = '', last = first, from = '0', to = '24'] = match;
  const [start, end] = [Number(from), Number(to)];
  if (start > 23 || end > 24 || start === end) throw new InvalidArgumentError(help);
  return { days: daysFrom(first, last), start, length: end > start ? end - start : 24 - start + end };
}

function daysFrom(first: string, last: string): number[] {
  const [start, end] = [first, last].map((name) => days.findIndex((day) => day === name));
  if (start === undefined || end === undefined || start < 0 || end < 0) throw new InvalidArgumentError(help);
  const count = ((end - start + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => (start + index) % 7);
}

function spansOf(hours: readonly boolean[]): string[] {
  const spans: string[] = [];
  for (let start = 0; start < hours.length; start += 1) {
    if (!hours[start]) continue;
    let end = start;
    while (hours[end]) end += 1;
    spans.push(`${start}-${end}`);
    start = end;
  }
  return spans;
}
