import { describe, expect, it } from 'vitest';
import type { RowTime } from '../format/split-when.ts';
import { builtIn } from '../state/results-table.ts';
import { describeDay } from './describe-day.ts';
import { describeFilter } from './describe-filter.ts';
import { formatPercent } from './format-percent.ts';
import { dayOfEntry, entryOfPosition, toEntries } from './list-entries.ts';
import { orderTexts } from './order-texts.ts';
import { formatCell } from './table-columns.ts';

const titleOf = (id: string): string => (id === 's2' ? 'Sentinel-2' : id);

describe('describeFilter', () => {
  it.each([
    [builtIn.coverage, { kind: 'range', min: 60, max: null }, 'Coverage ≥ 60 %'],
    ['view:sun_elevation', { kind: 'range', min: 10, max: 42.5 }, 'Sun elevation 10° – 42.5°'],
    [builtIn.collection, { kind: 'choice', texts: ['s2'] }, 'Collection: Sentinel-2'],
    [builtIn.month, { kind: 'choice', texts: ['2026-07'] }, 'Month: Jul 2026'],
    [builtIn.platform, { kind: 'choice', texts: ['a', null] }, 'Platform: 2 chosen'],
    [
      builtIn.time,
      { kind: 'range', min: Date.UTC(2026, 4, 1), max: Date.UTC(2026, 4, 31, 23) },
      '2026-05-01 – 2026-05-31',
    ],
    ['x:unknown', { kind: 'choice', texts: [null] }, 'x:unknown: No value'],
  ] as const)('says %s %j as "%s"', (column, filter, words) => {
    expect(describeFilter(column, filter, titleOf)).toBe(words);
  });
});

it('never calls something nothing, or a part all', () => {
  expect([0, 0.2, 1, 49.6, 99.7, 100].map(formatPercent)).toEqual([
    '0\u00a0%',
    '<\u00a01\u00a0%',
    '1\u00a0%',
    '50\u00a0%',
    '99\u00a0%',
    '100\u00a0%',
  ]);
});

it('puts choices in an order that people expect, and "no value" last', () => {
  const order = (column: string, texts: (string | null)[]): (string | null)[] =>
    orderTexts(
      column,
      texts.map((text) => ({ text, count: 1 })),
    ).map(({ text }) => text);
  expect(order('x', [null, 'b10', 'b9'])).toEqual(['b9', 'b10', null]);
  expect(order(builtIn.cloudBand, ['50–100 %', '5–20 %', '0–5 %'])).toEqual(['0–5 %', '5–20 %', '50–100 %']);
});

describe('a cell', () => {
  const cellOf = (column: string, value: string | number | null, row: RowTime = { datetime: null }): string =>
    formatCell({ column, row }, value, titleOf);

  it('has units, and a dash for nothing', () => {
    expect(cellOf(builtIn.cloud, 4.26)).toBe('4.3 %');
    expect(cellOf('sat:relative_orbit', 1037)).toBe('1037');
    expect(cellOf('platform', null)).toBe('—');
  });

  it('tells a moment by the second in UTC, and a span by its days', () => {
    const when = (datetime: string | null, endDatetime?: string) =>
      cellOf(builtIn.time, 0, { datetime, ...(endDatetime === undefined ? {} : { endDatetime }) });
    expect(when('2026-07-14T12:40:31+02:00')).toBe('2026-07-14 10:40:31Z');
    expect(when('2026-01-01T00:00:00Z', '2026-03-31T23:59:59Z')).toBe('2026-01-01 – 2026-03-31');
    expect(when('2026-01-01T00:00:00Z', '2026-01-01T23:59:59Z')).toBe('2026-01-01');
    expect(when(null)).toBe('—');
  });
});

describe('a list by day', () => {
  const day = { day: '2026-07-14', minCloud: 2, maxCloud: 40 };
  const days = [
    { ...day, start: 0, count: 2 },
    { ...day, day: null, start: 2, count: 1, minCloud: null, maxCloud: null },
  ];

  it('has a heading before the rows of each day, and finds rows below them', () => {
    const entries = toEntries(3, days);
    expect(entries.map((entry) => dayOfEntry(entry, days)?.day)).toEqual([
      '2026-07-14',
      undefined,
      undefined,
      null,
      undefined,
    ]);
    expect([0, 1, 2].map((position) => entries[entryOfPosition(position, days)])).toEqual([0, 1, 2]);
    expect(toEntries(2, [])).toEqual([0, 1]);
    expect(entryOfPosition(1, [])).toBe(1);
  });

  it('says a day for the ear', () => {
    const [first, undated] = days;
    expect(first && describeDay(first, 96.2)).toBe(
      '14 July 2026, 2 items, cloud 2–40\u00a0%, together 96\u00a0% of the area',
    );
    expect(undated && describeDay(undated, null)).toBe('No date, 1 item');
  });
});
