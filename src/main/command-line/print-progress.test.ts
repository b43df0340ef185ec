import { expect, it, onTestFinished, vi } from 'vitest';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import { createProgressPrinter } from './print-progress.ts';

it('keeps what a catalog calls its assets from the terminal that it writes over', () => {
  const written: string[] = [];
  const write = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const printer = createProgressPrinter({ say: () => undefined, isTerminal: true });
  printer.update([makeTransfer(1, { assetKey: 'a\u001b[2J\u202e' })]);
  expect(written).toEqual([expect.stringContaining('a\\u001b[2J\\u202e')]);
});
