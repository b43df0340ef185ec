import { describe, expect, it } from 'vitest';
import { transferStates, type Transfer } from '#shared/transfer/transfer.ts';
import { groupTransfers } from './group-transfers.ts';
import { describeSize, describeTransfer, fractionOf } from './transfer-words.ts';

function transfer(change: Partial<Transfer>): Transfer {
  return {
    transferId: 1,
    downloadId: 1,
    collectionId: 'c',
    itemId: 'i',
    assetKey: 'visual',
    state: 'downloading',
    waiting: null,
    receivedBytes: 61_400_000,
    totalBytes: 85_200_000,
    bytesPerSecond: 14_100_000,
    filePath: null,
    linkKind: 'signed',
    verification: null,
    error: null,
    ...change,
  };
}

describe('describeTransfer', () => {
  it('has words for every state', () => {
    for (const state of transferStates) expect(describeTransfer(transfer({ state })).state).not.toBe('');
  });

  it('says rate and time left, and by which link', () => {
    expect(describeTransfer(transfer({}))).toMatchObject({ state: '14.1 MB/s · 2 s', why: 'Signed link' });
    expect(describeTransfer(transfer({ totalBytes: null })).state).toBe('14.1 MB/s');
  });

  it('says until when it waits and why, never in the words of the log', () => {
    const error = {
      code: 'http.too-many-requests' as const,
      message: 'HTTP 429',
      details: {},
      retryable: true,
    };
    const words = describeTransfer(
      transfer({ state: 'waiting', waiting: { error, resumeAt: '2026-07-14T14:09:30Z' } }),
    );
    expect(words.state).toBe('Goes on at 14:09:30 UTC');
    expect(words.why).toContain('slow down');
    expect(words.why).not.toContain('429');
  });

  it('calls only a file with a proved checksum verified', () => {
    expect(describeTransfer(transfer({ state: 'done', verification: 'checksum' })).state).toBe('Verified');
    for (const verification of ['size-only', 'none', null] as const) {
      expect(describeTransfer(transfer({ state: 'done', verification })).state).toBe('Complete');
    }
  });
});

it.each([
  [{}, '61.4 MB of 85.2 MB', 61.4 / 85.2],
  [{ totalBytes: null }, '61.4 MB so far', null],
  [{ totalBytes: null, receivedBytes: 0 }, 'size unknown', 0],
  [{ receivedBytes: 0 }, '85.2 MB', 0],
  [{ state: 'done', receivedBytes: 85_200_000 }, '85.2 MB', 1],
  [{ state: 'cancelled' }, '85.2 MB', 0],
  [{ totalBytes: 0, receivedBytes: 0 }, '0 bytes', 1],
] as const)('shows size and progress of %j', (change, words, fraction) => {
  expect(describeSize(transfer(change))).toBe(words);
  expect(fractionOf(transfer(change))).toBe(fraction);
});

it('groups transfers, what needs a person above what waits, every state in some group', () => {
  const all = transferStates.map((state, index) =>
    transfer({ transferId: index, state, verification: null }),
  );
  const groups = groupTransfers(all);
  expect(groups.map(({ title }) => title.split(' · ')[0])).toEqual([
    'Active',
    'Needs you',
    'Waiting',
    'Paused',
    'Done',
    'Cancelled',
  ]);
  expect(groups.flatMap(({ transfers }) => transfers)).toHaveLength(all.length);
  expect(groupTransfers([transfer({ state: 'done', verification: 'checksum' })])[0]?.title).toBe(
    'Done · 1 verified',
  );
});
