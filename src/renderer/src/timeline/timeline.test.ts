import { describe, expect, it } from 'vitest';
import { NumberColumn, TextColumn } from '../state/results-columns.ts';
import { toBarPaths } from './bar-paths.ts';
import { dragBrush, stepHandle } from './brush.ts';
import { chooseUnit, countDays, findBar, startOf, toBins } from './timeline-bins.ts';
import { nameBar, toDay, toTicks } from './timeline-words.ts';

const at = (text: string): number => Date.parse(`${text}T12:00:00Z`);

function columns(rows: readonly [day: string | null, collection: string][]) {
  const [time, collection] = [new NumberColumn(), new TextColumn()];
  for (const [day, name] of rows) {
    time.push(day === null ? null : at(day));
    collection.push(name);
  }
  return { time, collection };
}

const all = (count: number) => ({ count, passes: () => true });

describe('toBins', () => {
  it('counts by day and collection, over all rows, and leaves out what has no date', () => {
    const rows = columns([
      ['2026-05-01', 'a'],
      ['2026-05-01', 'b'],
      ['2026-05-03', 'b'],
      [null, 'b'],
    ]);
    const bins = toBins(rows, { count: 4, passes: (index) => index !== 2 });
    expect(bins?.unit).toBe('day');
    expect(bins?.edges.map(toDay)).toEqual(['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']);
    expect(bins?.counts).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
    expect(bins?.tallest).toBe(2);
    expect(countDays(rows.time, all(4))).toEqual({ rowCount: 3, dayCount: 2 });
  });

  it('takes weeks from Monday, months and years as the span grows', () => {
    expect(chooseUnit(at('2026-04-01') - at('2026-01-01'))).toBe('day');
    expect(chooseUnit(at('2027-06-01') - at('2026-01-01'))).toBe('week');
    expect(chooseUnit(at('2031-01-01') - at('2026-01-01'))).toBe('month');
    expect(chooseUnit(at('2026-01-01') - at('1986-01-01'))).toBe('year');
    expect(toDay(startOf('week', at('2026-11-22')))).toBe('2026-11-16');
    expect(toDay(startOf('month', at('2026-11-22')))).toBe('2026-11-01');
  });

  it('is nothing without dates, and one bar for one moment', () => {
    expect(toBins(columns([[null, 'a']]), all(1))).toBeNull();
    expect(toBins(columns([['2026-05-01', 'a']]), all(1))?.edges).toHaveLength(2);
  });

  it('finds the bar of a time, and none outside', () => {
    const edges = [0, 10, 25, 30];
    expect([-1, 0, 9, 10, 24, 25, 29, 30, NaN].map((time) => findBar(edges, time))).toEqual([
      -1, 0, 0, 1, 1, 2, 2, -1, -1,
    ]);
  });
});

it('stacks bars, and dims those outside the brush', () => {
  const bins = {
    unit: 'day' as const,
    edges: [0, 1, 2],
    collectionIds: ['a', 'b'],
    counts: [
      [1, 8],
      [1, 0],
    ],
    tallest: 8,
  };
  const [first, second] = toBarPaths(bins, (bar) => bar === 0);
  expect(first?.bright).toMatch(/^M0\.11 1v-0\.25h0\.78/);
  expect(first?.dim).toMatch(/^M1\.11 1v-1h0\.78/);
  expect(second?.bright).toMatch(/^M0\.11 0\.75v-0\.25/);
  expect(second?.dim).toBe('');
});

describe('the brush', () => {
  const before = { from: 2, to: 5 };
  it.each([
    ['new', { start: 7, now: 3 }, { from: 3, to: 7 }],
    ['new', { start: 7, now: 99 }, { from: 7, to: 9 }],
    ['from', { start: 2, now: 8 }, { from: 5, to: 5 }],
    ['to', { start: 5, now: -4 }, { from: 2, to: 2 }],
    ['middle', { start: 3, now: 99 }, { from: 6, to: 9 }],
    ['middle', { start: 3, now: 2 }, { from: 1, to: 4 }],
  ] as const)('by %s %j is %j', (grip, move, after) => {
    expect(dragBrush(grip, before, { ...move, barCount: 10 })).toEqual(after);
  });

  it('goes by keys and stops at the ends', () => {
    expect(
      ['ArrowLeft', 'ArrowRight', 'PageUp', 'Home', 'End', 'a'].map((key) => stepHandle(key, 0, 10)),
    ).toEqual([0, 1, 5, 0, 9, null]);
  });
});

it('names bars, and marks no more than fit', () => {
  expect(nameBar('week', at('2026-07-06'))).toBe('6–12 July 2026');
  expect(nameBar('month', at('2026-07-01'))).toBe('Jul 2026');
  expect(toTicks(at('2026-05-01'), at('2026-09-30'), 8).map(({ text }) => text)).toEqual([
    'Jun',
    'Jul',
    'Aug',
    'Sep',
  ]);
  expect(toTicks(at('2026-10-20'), at('2027-02-03'), 8).map(({ text }) => text)).toEqual([
    'Nov',
    'Dec',
    'Jan 2027',
    'Feb',
  ]);
  expect(toTicks(at('2025-11-20'), at('2026-11-20'), 8).map(({ text }) => text)).toEqual([
    'Jan 2026',
    'Apr',
    'Jul',
    'Oct',
  ]);
  expect(toTicks(at('1950-01-01'), at('2026-01-01'), 8).length).toBeLessThanOrEqual(8);
});
