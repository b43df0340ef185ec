import { expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { streamLatest } from './stream-latest.ts';

it('emits reads that are slower than the changes, one after the other', async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const events: number[] = [];
  let change = (): void => undefined;
  const abort = new AbortController();
  const ended = streamLatest<number>({
    read: () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    },
    onChange: (listener) => {
      change = listener;
      return () => undefined;
    },
    emit: (value) => events.push(value),
    signal: abort.signal,
    intervalMs: 0,
  });
  change();
  await new Promise((resolve) => setImmediate(resolve));
  change();
  expect(reads).toHaveLength(1);
  reads[0]?.resolve(1);
  await eventually(() => expect(reads).toHaveLength(2));
  expect(events).toEqual([1]);
  abort.abort();
  await ended;
  reads[1]?.resolve(2);
  await reads[1]?.promise;
  expect(events).toEqual([1]);
});
