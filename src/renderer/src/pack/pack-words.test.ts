import { expect, it } from 'vitest';
import { describeCounts, describeOutcome } from './pack-words.ts';

it('says what is in a pack', () => {
  const none = { items: 1, searches: 0, thumbnails: 0, files: 0, collections: 1, basemaps: 0 };
  expect(describeCounts(none)).toBe('1 item');
  expect(describeCounts({ ...none, items: 1180, searches: 2, files: 4 })).toBe(
    '1,180 items, 2 searches and 4 files',
  );
  expect(describeCounts({ ...none, basemaps: 1 })).toBe('1 item and a map');
});

it('says what was taken in, and what was here', () => {
  const outcome = {
    itemsTaken: 5,
    itemsKept: 0,
    searchesTaken: 1,
    thumbnailsTaken: 2,
    filesTaken: 0,
    filesKept: 0,
    basemapsTaken: 0,
  };
  expect(describeOutcome(outcome)).toBe('Taken in: 5 items, 1 search and 2 pictures.');
  const nothing = { ...outcome, itemsTaken: 0, searchesTaken: 0, thumbnailsTaken: 0 };
  expect(describeOutcome({ ...nothing, basemapsTaken: 1 })).toMatch(/^Taken in: a map\. Choose it/);
  expect(describeOutcome({ ...nothing, itemsKept: 5, filesKept: 1 })).toBe(
    'There was nothing new in it. Here already, as new or newer: 5 items and 1 file.',
  );
});
