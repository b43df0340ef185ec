import { describe, expect, it } from 'vitest';
import { describeFiles, describeShortfalls, describeUnseen, nameChosen } from './selection-words.ts';

describe('what a selection says', () => {
  it('names a few assets and counts the others', () => {
    expect(nameChosen({ chosenKeys: ['visual', 'B04'], chosenKeyCount: 2 })).toBe('visual, B04');
    expect(nameChosen({ chosenKeys: ['a', 'b', 'c', 'd', 'e'], chosenKeyCount: 1200 })).toBe(
      'a, b, c and 1,197 more',
    );
  });

  it('says what is known of the size and what is not', () => {
    expect(describeFiles({ fileCount: 12, knownBytes: 2.31e9, unknownCount: 2 })).toBe(
      '12 files, 2.31 GB + 2 unknown',
    );
    expect(describeFiles({ fileCount: 1, knownBytes: 0, unknownCount: 1 })).toBe('1 file, size unknown');
  });

  it('counts picked items that the list doesn’t show', () => {
    expect(describeUnseen({ picked: 12, shown: 9, inAnswer: 12 })).toBe(
      '3 of 12 picked are hidden by filters',
    );
    expect(describeUnseen({ picked: 4, shown: 2, inAnswer: 3 })).toBe(
      '1 of 4 picked is hidden by filters · 1 of 4 picked is from another search',
    );
    expect(describeUnseen({ picked: 4, shown: 4, inAnswer: 4 })).toBe('');
  });

  it('says what will not come, and why', () => {
    const none = {
      fileCount: 5,
      knownBytes: 1,
      unknownCount: 0,
      chosenKeys: [],
      idlePatterns: [],
      chosenKeyCount: 1,
      itemCount: 1,
    };
    expect(describeShortfalls({ ...none, withoutCount: 1, directoryCount: 2, unsupportedCount: 1 })).toEqual([
      '1 item has none of these assets.',
      '2 assets left out: folders can’t be downloaded as files.',
      '1 asset left out: no link that Swath can follow.',
    ]);
    expect(describeShortfalls({ ...none, withoutCount: 0, directoryCount: 0, unsupportedCount: 0 })).toEqual(
      [],
    );
    expect(
      describeShortfalls({
        ...none,
        withoutCount: 0,
        directoryCount: 0,
        unsupportedCount: 0,
        idlePatterns: ['B9*', 'zzz'],
      }),
    ).toEqual(['No asset is called B9* or zzz.']);
  });
});
