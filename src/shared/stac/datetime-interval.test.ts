import { describe, expect, it } from 'vitest';
import { formatDatetime, parseDatetimeInterval } from './datetime-interval.ts';

const day = 86_400_000_000;
const one = '1970-01-02T00:00:00Z';
const two = '1970-01-03T00:00:00Z';

describe('parseDatetimeInterval', () => {
  it.each([
    ['exact', one, day, day],
    ['from-to', `${one}/${two}`, day, 2 * day],
    ['from, as the service writes it', `${one}..`, day, null],
    ['to, as the service writes it', `..${one}`, null, day],
    ['from, standard', `${one}/..`, day, null],
    ['to, standard', `../${one}`, null, day],
    ['from, empty end', `${one}/`, day, null],
    ['to, empty start', `/${one}`, null, day],
  ])('reads %s', (_form, text, startMicros, endMicros) => {
    expect(parseDatetimeInterval(text)).toEqual({ startMicros, endMicros });
  });

  it.each([
    '',
    '..',
    '../..',
    '/',
    `${two}/${one}`,
    '2026-01-01',
    `${one}/${one}/${two}`,
    `${one}..${two}`,
    'x/..',
  ])('refuses %j', (text) => {
    expect(() => parseDatetimeInterval(text)).toThrow(
      expect.objectContaining({
        code: 'input.invalid',
        details: expect.objectContaining({ field: 'datetime' }),
      }),
    );
  });

  it('says of a day how it is written', () => {
    expect(() => parseDatetimeInterval('2026-03-01/..')).toThrow('such as 2026-03-01T00:00:00Z');
    expect(() => parseDatetimeInterval('May/..')).toThrow('"May" is not an RFC 3339 timestamp, such as 20');
  });
});

describe('formatDatetime', () => {
  it('writes the form of the service', () => {
    expect(formatDatetime({ start: one })).toBe(`${one}..`);
    expect(formatDatetime({ end: one })).toBe(`..${one}`);
    expect(formatDatetime({ start: one, end: two })).toBe(`${one}/${two}`);
    expect(formatDatetime({ start: one, end: one })).toBe(one);
    expect(formatDatetime({})).toBeUndefined();
  });
});
