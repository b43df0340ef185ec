import { expect, it } from 'vitest';
import { isPartOfQueue, partPathOf } from './part-name.ts';

it.each([1, 2, 17])('of copy %d tells the queue that it is of', (copy) => {
  const path = partPathOf('/out/B04-abcdef.tif', { transferId: 12, tag: '0a1b2c' }, copy);
  expect(isPartOfQueue(path, '0a1b2c')).toBe(true);
  expect(isPartOfQueue(path, 'abcdef')).toBe(false);
  expect(isPartOfQueue(path, '2')).toBe(false);
});
