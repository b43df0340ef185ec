import { describe, expect, it } from 'vitest';
import { describeItemFiles } from './item-files-words.ts';

const none = { broughtCount: 0, comingCount: 0, failedCount: 0 };

describe('the files of an item', () => {
  it('are not mentioned where none was ordered', () => {
    expect(describeItemFiles(none)).toBeNull();
  });

  it.each([
    [{ ...none, broughtCount: 3 }, '3 files brought home', '3', 'ok'],
    [{ ...none, comingCount: 1 }, '1 file on its way', '1', 'plain'],
    [
      { broughtCount: 1, comingCount: 2, failedCount: 0 },
      '1 file brought home, 2 on their way',
      '3',
      'plain',
    ],
    [
      { broughtCount: 2, comingCount: 1, failedCount: 1 },
      '2 files brought home, 1 on its way, 1 failed or lost',
      '4',
      'bad',
    ],
  ])('%o are %s', (files, sentence, count, tone) => {
    expect(describeItemFiles(files)).toEqual({ sentence, count, tone });
  });
});
