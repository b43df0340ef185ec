import { expect, it } from 'vitest';
import { makeBytes } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const test = useDownloads(makeBytes(200_000));

it('tells how much is done, and the items of all that is in the queue, each once', async () => {
  test.open({ a: test.asset('a.bin'), b: test.asset('b.bin'), c: test.asset('c.bin') });
  const { start, finish, downloads } = test.harness;
  expect([downloads.doneFiles(), downloads.items()]).toEqual([{ count: 0, sizeBytes: 0 }, []]);
  await finish(await start(['a', 'b']));
  await downloads.pauseQueue();
  await start(['c']);
  expect(downloads.doneFiles()).toEqual({ count: 2, sizeBytes: 400_000 });
  const { collectionId, itemId } = downloads.transfers()[0] ?? {};
  expect(downloads.items()).toEqual([{ collectionId, itemId }]);
  await downloads.remove({ states: ['done'] });
  expect(downloads.doneFiles()).toEqual({ count: 0, sizeBytes: 0 });
  expect(downloads.items()).toHaveLength(1);
});
