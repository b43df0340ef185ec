import { expect, it } from 'vitest';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import { describeBroughtHome } from './brought-home.ts';

const done = { state: 'done', receivedBytes: 1000, verification: 'checksum' } as const;

it('counts what is there as it came, and names what isn’t', () => {
  const transfers = [
    makeTransfer(1, done),
    makeTransfer(2, { ...done, verification: 'none' }),
    makeTransfer(3, { ...done, finding: 'missing' }),
    makeTransfer(4, { ...done, finding: 'changed' }),
    makeTransfer(5, { state: 'downloading', receivedBytes: 500 }),
  ];
  expect(describeBroughtHome(transfers)).toEqual({
    value: '2.00 kB',
    note: '2 missing or changed since, 1 verified, 1 not verifiable',
  });
});

it('has words for nothing', () => {
  expect(describeBroughtHome([makeTransfer(1)])).toEqual({ value: 'Nothing', note: 'on this list' });
});
