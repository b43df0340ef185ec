import { describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { describeBrought, describeListed } from './asset-file-words.ts';

const now = new Date('2026-11-24T20:00:00Z');

describe('a file that is on the list of downloads', () => {
  const listed = (change: Partial<Transfer>) =>
    describeListed({ state: 'done', finding: null, verification: 'checksum', ...change } as Transfer);

  it('is said to be here when it is, and how far that is proved', () => {
    expect(listed({})).toEqual({ words: 'On this computer · Verified', tone: 'ok' });
    expect(listed({ verification: 'none' })).toEqual({
      words: 'On this computer · Not verifiable',
      tone: 'plain',
    });
  });

  it('is not said to be here before it is done, or when it is lost', () => {
    for (const change of [
      { state: 'downloading' },
      { state: 'failed' },
      { finding: 'missing' },
      { finding: 'changed' },
    ] as const)
      expect(listed(change).words).not.toContain('On this computer');
    expect(listed({ finding: 'missing' }).tone).toBe('bad');
  });
});

describe('a file that is off the list of downloads', () => {
  const file = {
    assetKey: 'B04',
    filePath: '/out/B04.tif',
    sizeBytes: 1,
    verification: 'checksum' as const,
    finishedAt: '2026-11-23T18:05:00Z',
    isThere: true,
  };

  it('is said to be here, and how far that is proved', () => {
    expect(describeBrought(file, now)).toEqual({
      words: 'On this computer · Verified when it came, at 2026-11-23 18:05 UTC',
      tone: 'ok',
    });
    expect(describeBrought({ ...file, verification: 'size-only' }, now)).toEqual({
      words: 'On this computer since 2026-11-23 18:05 UTC · Not verifiable',
      tone: 'plain',
    });
  });

  it('is not said to be here when it is gone', () => {
    expect(describeBrought({ ...file, isThere: false }, now)).toEqual({
      words: 'Came at 2026-11-23 18:05 UTC, and is not there any more, or another file is',
      tone: 'warn',
    });
  });
});
