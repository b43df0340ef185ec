import { describe, expect, it } from 'vitest';
import { findDraftProblem } from './find-draft-problem.ts';
import { explainDay, lastDays, readDay } from './day-range.ts';
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

describe('explainDay', () => {
  it.each([
    ['', null],
    ['2026-05-01', null],
    ['2026-13-45', 'There is no such day'],
    ['2026-02-30', 'There is no such day'],
    ['1 May 2026', 'Write it as 2026-05-01'],
  ])('says what is wrong with "%s"', (typed, words) => expect(explainDay(typed)).toBe(words));
});

describe('lastDays', () => {
  it('ends today in UTC, whatever the hour', () => {
    expect(lastDays(30, new Date('2026-03-01T23:59:59Z'))).toEqual({
      fromDate: '2026-01-30',
      toDate: '2026-03-01',
    });
  });
});

describe('findDraftProblem', () => {
  it('refuses a time that ends before it starts', () => {
    expect(findDraftProblem({ ...emptyDraft, fromDate: '2026-05-02', toDate: '2026-05-01' })).toMatch(
      /before/,
    );
  });

  it.each([
    { fromDate: '2026-13-45', toDate: '' },
    { fromDate: '', toDate: 'tomorrow' },
  ])('refuses %j', (dates) => expect(findDraftProblem({ ...emptyDraft, ...dates })).toMatch(/can’t be read/));

  it.each([
    { fromDate: '2026-05-01', toDate: '2026-05-01' },
    { fromDate: '2026-05-01', toDate: '' },
    { fromDate: '', toDate: '2026-05-01' },
  ])('takes %j', (dates) => expect(findDraftProblem({ ...emptyDraft, ...dates })).toBeNull());
});
