import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInSchedule, nextScheduleChangeMs, weekHours } from './week-schedule.ts';

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const at = (text: string): number => Date.parse(text);
const on = (isOn: (day: number, hour: number) => boolean) => ({
  hours: Array.from({ length: weekHours }, (_, hour) => isOn(Math.floor(hour / 24), hour % 24)),
});
const nights = on((_, hour) => hour >= 20 || hour < 6);

describe('a schedule of a week', () => {
  it('is in local time, from Monday on', () => {
    const mondays = on((day) => day === 0);
    expect(isInSchedule(mondays, at('2026-03-02T00:00:00+01:00'))).toBe(true);
    expect(isInSchedule(mondays, at('2026-03-01T23:59:59+01:00'))).toBe(false);
    expect(isInSchedule(mondays, at('2026-03-02T23:30:00Z'))).toBe(false);
  });

  it('says when it begins and ends', () => {
    expect(nextScheduleChangeMs(nights, at('2026-03-02T12:34:56+01:00'))).toBe(
      at('2026-03-02T20:00:00+01:00'),
    );
    expect(nextScheduleChangeMs(nights, at('2026-03-02T20:00:00+01:00'))).toBe(
      at('2026-03-03T06:00:00+01:00'),
    );
    const sundays = on((day) => day === 6);
    expect(nextScheduleChangeMs(sundays, at('2026-03-02T00:00:00+01:00'))).toBe(
      at('2026-03-08T00:00:00+01:00'),
    );
  });

  it('never changes when it is always or never on', () => {
    expect(
      nextScheduleChangeMs(
        on(() => true),
        at('2026-03-02T12:00:00Z'),
      ),
    ).toBeNull();
    expect(
      nextScheduleChangeMs(
        on(() => false),
        at('2026-03-02T12:00:00Z'),
      ),
    ).toBeNull();
  });

  it('keeps to the clock on the wall when summer time begins and ends', () => {
    expect(nextScheduleChangeMs(nights, at('2026-03-28T23:00:00+01:00'))).toBe(
      at('2026-03-29T06:00:00+02:00'),
    );
    expect(nextScheduleChangeMs(nights, at('2026-10-24T23:00:00+02:00'))).toBe(
      at('2026-10-25T06:00:00+01:00'),
    );
    // 02:00 to 03:00 is not there in March, and twice there in October.
    const third = on((_, hour) => hour === 2);
    expect(nextScheduleChangeMs(third, at('2026-03-29T01:30:00+01:00'))).toBe(
      at('2026-03-30T02:00:00+02:00'),
    );
    expect(nextScheduleChangeMs(third, at('2026-10-25T02:30:00+02:00'))).toBe(
      at('2026-10-25T03:00:00+01:00'),
    );
    expect(nextScheduleChangeMs(third, at('2026-10-25T01:30:00+02:00'))).toBe(
      at('2026-10-25T02:00:00+02:00'),
    );
  });

  it('changes at the full hour where the zone is half an hour off', () => {
    process.env['TZ'] = 'Asia/Kolkata';
    expect(nextScheduleChangeMs(nights, at('2026-03-02T19:59:00+05:30'))).toBe(
      at('2026-03-02T20:00:00+05:30'),
    );
  });
});
