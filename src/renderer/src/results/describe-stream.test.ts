import { expect, it } from 'vitest';
import { describeStream, type StreamExtent } from './describe-stream.ts';

const ended: StreamExtent = { phase: 'idle', rowCount: 5, matched: null, maxItems: 1000, hasMore: false };

it('says that all is here only where nothing may be missing', () => {
  expect(describeStream(ended)).toBe('All 5 items are here');
  expect(describeStream({ ...ended, isIncomplete: true })).toBe('What it brought is here, 5 items');
  expect(describeStream({ ...ended, isCut: true })).toBe('What it brought is here, 5 items');
});
