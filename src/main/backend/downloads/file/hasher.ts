import { createHash } from 'node:crypto';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';

/** A digest in the making. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Lowercase hex; to be asked for once. */
  digestHex(): string;
}

// The lengths of BLAKE2 that OpenSSL has; it computes them many times faster.
const opensslNames: Readonly<Record<string, string>> = {
  'blake2b-512': 'blake2b512',
  'blake2s-256': 'blake2s256',
};

/** Begins a digest by a name that `decodeChecksum` gives. */
export function createHasher(algorithm: string): Hasher {
  const opensslName = opensslNames[algorithm] ?? algorithm;
  const [, name, bits] = /^(blake2[bs])-(\d+)$/.exec(opensslName) ?? [];
  if (name === undefined) {
    const hash = createHash(opensslName);
    return { update: (bytes) => void hash.update(bytes), digestHex: () => hash.digest('hex') };
  }
  const hash = (name === 'blake2b' ? blake2b : blake2s).create({ dkLen: Number(bits) / 8 });
  return {
    update: (bytes) => void hash.update(bytes),
    digestHex: () => Buffer.from(hash.digest()).toString('hex'),
  };
}
