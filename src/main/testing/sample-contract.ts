import { z } from 'zod';
import { AppError } from '#shared/errors/app-error.ts';
import { command, query, stream, type Handlers } from '#shared/rpc/define-contract.ts';

/** A small contract with one of each: what every pipe is tried with. */
export const sampleContract = {
  math: {
    double: query({
      input: z.object({ number: z.number() }),
      output: z.object({ number: z.number() }),
      errors: [],
    }),
    fail: command({
      input: z.object({ code: z.enum(['declared', 'undeclared', 'bug']) }),
      output: z.object({}),
      errors: ['stac.item-not-found'],
    }),
    wait: query({ input: z.object({}), output: z.object({}), errors: [] }),
    lie: query({ input: z.object({}), output: z.object({ number: z.number() }), errors: [] }),
    count: stream({
      input: z.object({ from: z.number() }),
      event: z.object({ count: z.number() }),
      errors: [],
    }),
  },
};

/** What the handlers have seen, for the tests to look at. */
export interface SampleRecord {
  waiting: number;
  aborted: number;
  counters: Set<(count: number) => void>;
}

/** Handlers of the sample contract. */
export function createSampleHandlers(record: SampleRecord): Handlers<typeof sampleContract> {
  return {
    math: {
      double: ({ number }) => ({ number: number * 2 }),
      fail: ({ code }) => {
        if (code === 'declared') {
          throw new AppError('stac.item-not-found', 'There is no item X', { details: { item: 'X' } });
        }
        if (code === 'undeclared') throw new AppError('transfer.disk-full', 'The disk is full');
        throw new TypeError('undefined is not a function');
      },
      wait: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          record.waiting++;
          signal.addEventListener('abort', () => {
            record.aborted++;
            reject(new AppError('cancelled', 'It was cancelled'));
          });
        }),
      lie: () => ({ number: 'three' }) as unknown as { number: number },
      count: ({ from }, emit, { signal }) =>
        new Promise((resolve) => {
          const counter = (count: number): void => emit({ count });
          record.counters.add(counter);
          emit({ count: from });
          signal.addEventListener('abort', () => {
            record.counters.delete(counter);
            resolve();
          });
        }),
    },
  };
}
