import { expect, it } from 'vitest';
import { describeHappening, nameChecksum, plainDigest } from './event-words.ts';

it.each([
  [`1220${'a'.repeat(64)}`, 'SHA-256'],
  [`1210${'a'.repeat(32)}`, 'SHA-256, shortened'],
  [`d50110${'0'.repeat(32)}`, 'MD5'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'MD5'],
  [`90e40210${'0'.repeat(32)}`, 'BLAKE2b-128'],
  ['zz', null],
])('%s is called %s', (checksum, name) => {
  expect(nameChecksum(checksum)).toBe(name);
});

it('says what happened, why, and how far it was', () => {
  const error = { code: 'transfer.disk-full', message: 'x', details: {}, retryable: true } as const;
  const at = '2026-07-14T10:00:00Z';
  expect(describeHappening({ at, state: 'waiting', durableBytes: 61_400_000, finding: null, error })).toBe(
    'Waited: The disk is full, at 61.4 MB',
  );
  const wrong = { ...error, code: 'transfer.checksum-mismatch' } as const;
  expect(
    describeHappening({ at, state: 'verifying', durableBytes: 61_400_000, finding: null, error: wrong }),
  ).toBe('Found wrong: The checksum is not the one that the catalog says');
  expect(describeHappening({ at, state: 'done', durableBytes: 61_400_000, finding: null, error: null })).toBe(
    'Done',
  );
  expect(describeHappening({ at, state: 'done', durableBytes: 0, finding: 'missing', error: null })).toBe(
    'Looked at again: the file is not there',
  );
});

it('tells a digest as other tools print it', () => {
  expect(plainDigest(`1220${'ab'.repeat(32)}`)).toBe('ab'.repeat(32));
  expect(plainDigest('13401234')).toBe('13401234');
});
