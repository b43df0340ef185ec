import { describe, expect, it } from 'vitest';
import { findDraftProblem } from './find-draft-problem.ts';
import { explainMoment, lastDays, readDay, readMoment } from './day-range.ts';
import { emptyDraft } from './search-draft.ts';

describe('readDay', () => {
  it.each([
    ['2026-05-01', '2026-05-01'],
    [' 2026-5-1 ', '2026-05-01'],
    ['20260501', '2026-05-01'],
    ['2026/05/01', '2026-05-01'],
    ['2024-02-29', '2024-02-29'],
  ])('reads %s', (typed, day) => expect(readDay(typed)).toBe(day));

  it.each(['2026-02-30', '2025-02-29', '2026-13-01', '1 May 2026', '2026', ''])('refuses "%s"', (typed) => {
    expect(readDay(typed)).toBeNull();
  });
});

describe('readMoment', () => {
  it.each([
    ['2026-5-1', '2026-05-01'],
    ['2026-05-01 9:30', '2026-05-01T09:30:00Z'],
    ['2026-05-01T09:30', '2026-05-01T09:30:00Z'],
    ['2026-05-01 09:30:15.5 UTC', '2026-05-01T09:30:15.5Z'],
    ['2026-05-01 09:30+02:00', '2026-05-01T09:30:00+02:00'],
    ['2026-05-01T09:30:00.123456Z', '2026-05-01T09:30:00.123456Z'],
  ])('reads %s', (typed, moment) => expect(readMoment(typed)).toBe(moment));

  it.each(['2026-05-01 25:00', '2026-02-30 10:00', '10:00', '2026-05-01 10'])('refuses "%s"', (typed) => {
    expect(readMoment(typed)).toBeNull();
  });
});

describe('explainMoment', () => {
  it.each([
    ['', null],
    ['2026-05-01', null],
    ['2026-05-01 10:30', null],
    ['2026-13-45', 'There is no such day'],
    ['2026-02-30', 'There is no such day'],
    ['2026-02-30 10:00', 'There is no such day'],
    ['2026-05-01 25:00', 'There is no such time of day'],
    ['1 May 2026', 'Write it as 2026-05-01 or 2026-05-01 10:30'],
  ])('says what is wrong with "%s"', (typed, words) => expect(explainMoment(typed)).toBe(words));
});

describe('lastDays', () => {
  it('ends today in UTC, whatever the hour', () => {
    expect(lastDays(30, new Date('2026-03-01T23:59:59Z'))).toEqual({
      kind: 'span',
      from: '2026-01-30',
      to: '2026-03-01',
    });
  });
});

describe('findDraftProblem', () => {
  const span = (from: string, to: string) => ({ ...emptyDraft, time: { kind: 'span' as const, from, to } });
  const exact = (at: string) => ({ ...emptyDraft, time: { kind: 'exact' as const, at } });

  it.each([
    [span('2026-05-02', '2026-05-01'), /last day is before/],
    [span('2026-05-01T10:00:00Z', '2026-05-01T11:00:00+02:00'), /ends before it begins/],
    [span('2026-13-45', ''), /can’t be read/],
    [span('', 'tomorrow'), /can’t be read/],
    [exact(''), /which moment/],
    [exact('noon'), /can’t be read/],
  ])('refuses %j', (draft, words) => expect(findDraftProblem(draft)).toMatch(words));

  it.each([
    span('2026-05-01', '2026-05-01'),
    span('2026-05-01T10:00:00Z', '2026-05-01'),
    span('2026-05-01', ''),
    span('', '2026-05-01'),
    exact('2026-05-01T10:00:00Z'),
  ])('takes %j', (draft) => expect(findDraftProblem(draft)).toBeNull());

  it('names the property of which something was typed that can’t be read', () => {
    const conditions = [{ property: 'gsd', tests: {}, unreadable: { gt: 'ten' } }];
    expect(findDraftProblem({ ...emptyDraft, conditions }, () => 'Resolution')).toBe(
      'Resolution: “ten” can’t be read.',
    );
  });
});
