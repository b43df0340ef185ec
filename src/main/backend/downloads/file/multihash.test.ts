import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeChecksum, findChecksumProblem } from './multihash.ts';

const hashOf = (algorithm: string) => createHash(algorithm).update('a scene').digest('hex');

describe('decodeChecksum', () => {
  it.each([
    ['sha1', `1114${hashOf('sha1')}`],
    ['sha256', `1220${hashOf('sha256')}`],
    ['sha512', `1340${hashOf('sha512')}`],
    ['sha3-512', `1440${hashOf('sha3-512')}`],
    ['sha3-256', `1620${hashOf('sha3-256')}`],
    ['sha384', `2030${hashOf('sha384')}`],
    ['md5', `d50110${hashOf('md5')}`],
    ['sha224', `93201c${hashOf('sha224')}`],
    ['sha512-256', `952020${hashOf('sha512-256')}`],
    ['ripemd160', `d32014${hashOf('ripemd160')}`],
  ])('reads a %s multihash', (algorithm, text) => {
    expect(decodeChecksum(text)).toEqual({ algorithm, digestHex: hashOf(algorithm) });
  });

  it.each([
    ['blake2b-512', `c0e40240${hashOf('blake2b512')}`],
    ['blake2s-256', `e0e40220${hashOf('blake2s256')}`],
    ['blake2b-128', `90e40210${'ab'.repeat(16)}`],
    ['blake2b-256', `a0e40220${'ab'.repeat(32)}`],
    ['blake2s-160', `d4e40214${'ab'.repeat(20)}`],
  ])('reads a %s multihash', (algorithm, text) => {
    expect(decodeChecksum(text)).toEqual({ algorithm, digestHex: text.slice(8) });
  });

  it('reads a digest that was cut', () => {
    const cut = hashOf('sha256').slice(0, 40);
    expect(decodeChecksum(`1214${cut}`)).toEqual({ algorithm: 'sha256', digestHex: cut });
  });

  it('takes bare 32 hex digits for an MD5, in either case', () => {
    expect(decodeChecksum(hashOf('md5').toUpperCase())).toEqual({
      algorithm: 'md5',
      digestHex: hashOf('md5'),
    });
  });

  it.each([
    ['an unknown function', `9999${'ab'.repeat(32)}`],
    ['a blake2b-120, too short to prove anything', `8fe4020f${'ab'.repeat(15)}`],
    ['a cut blake2b-512', `c0e40220${'ab'.repeat(32)}`],
    ['a length that is not there', `1220${'ab'.repeat(31)}`],
    ['a digest longer than the function gives', `1221${'ab'.repeat(33)}`],
    ['a digest too short to prove anything', `1204${'ab'.repeat(4)}`],
    ['32 digits that are a multihash, but too short', `120e${'ab'.repeat(14)}`],
    ['no hex', 'sha256:abc'],
    ['an odd number of digits', 'abc'],
    ['nothing', ''],
    ['a varint without end', 'ff'.repeat(20)],
  ])('makes nothing of %s', (_, text) => {
    expect(decodeChecksum(text)).toBeNull();
  });
});

it.each([
  ['nothing of one that proves', `1220${'ab'.repeat(32)}`, null],
  ['a kind that is not known', `991920${'ab'.repeat(32)}`, 'unknown-kind'],
  ['a length that is not there', `1220${'ab'.repeat(31)}`, 'malformed'],
  ['a digest too short to prove anything', `1204${'ab'.repeat(4)}`, 'malformed'],
  ['words', 'sha256:abc', 'malformed'],
  ['nothing', '', 'malformed'],
] as const)('says of %s what is wrong', (_, text, problem) => {
  expect(findChecksumProblem(text)).toBe(problem);
});
