import { expect, it } from 'vitest';
import type { TransferDetails } from '#shared/transfer/transfer-details.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { listDigests, listFacts } from './detail-facts.ts';

const transfer = { state: 'cancelled', priority: 'normal', linkKind: null } as unknown as Transfer;
const details: TransferDetails = {
  links: 'auto',
  sourceOrigin: null,
  attempts: 0,
  restarts: 0,
  announcedBytes: null,
  announcedChecksum: null,
  digest: null,
  startedAt: '2026-07-14T10:00:00Z',
  finishedAt: '2026-07-14T11:00:00Z',
  checkedAt: null,
  events: [],
};

it('counts the time that a file took without that in which it lay failed or paused', () => {
  const happened = (at: string, state: Transfer['state']) => ({
    ...{ at, state, durableBytes: 0 },
    ...{ error: null, finding: null },
  });
  expect(tookOf([])).toBe('1 h');
  expect(
    tookOf([
      happened('2026-07-14T10:05:00Z', 'failed'),
      happened('2026-07-14T10:45:00Z', 'preparing'),
      happened('2026-07-14T10:50:00Z', 'paused'),
      happened('2026-07-14T10:55:00Z', 'downloading'),
    ]),
  ).toBe('15 min');
});

it('shows the digest of what came, also where it was not taken or is another by now', () => {
  const digest = `1220${'ab'.repeat(32)}`;
  const announced = { ...details, announcedChecksum: digest };
  const mismatch = { algorithm: 'sha256', expected: 'ab', actual: 'cd' };
  const error = { code: 'transfer.checksum-mismatch', message: '', details: mismatch, retryable: false };
  expect(listDigests({ ...transfer, state: 'failed', error } as Transfer, announced)).toEqual([
    { of: 'As the catalog says', digest: 'ab'.repeat(32) },
    { of: 'As the bytes came (sha256)', digest: 'cd' },
  ]);
  const changed = { ...transfer, state: 'done', error: null, finding: 'changed' } as Transfer;
  expect(listDigests(changed, { ...details, digest })).toEqual([
    { of: 'SHA-256 of the bytes as they came', digest: 'ab'.repeat(32) },
  ]);
});

function tookOf(events: TransferDetails['events']): string | undefined {
  const facts = listFacts({ transfer, details: { ...details, events }, order: null, collectionTitle: 'S2' });
  return facts.find(([name]) => name === 'Took')?.[1];
}
