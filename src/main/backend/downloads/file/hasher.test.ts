import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHasher } from './hasher.ts';

function digestOf(algorithm: string, text: string): string {
  const hasher = createHasher(algorithm);
  hasher.update(Buffer.from(text));
  return hasher.digestHex();
}

describe('createHasher', () => {
  // RFC 7693 has those of 512 and 256 bits; the others are what b2sum gives.
  it.each([
    ['blake2b-128', 'cf4ab791c62b8d2b2109c90275287816'],
    ['blake2b-256', 'bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319'],
    ['blake2s-256', '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982'],
  ])('computes %s', (algorithm, digest) => {
    expect(digestOf(algorithm, 'abc')).toBe(digest);
  });

  it.each([
    'sha1',
    'sha224',
    'sha256',
    'sha384',
    'sha512',
    'sha512-224',
    'sha512-256',
    'sha3-224',
    'sha3-256',
    'sha3-384',
    'sha3-512',
    'md5',
    'ripemd160',
  ])('computes %s as the system does', (algorithm) => {
    expect(digestOf(algorithm, 'abc')).toBe(createHash(algorithm).update('abc').digest('hex'));
  });
});
