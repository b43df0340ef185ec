import { addCrcs } from './crc32.ts';
import { createHasher } from './hasher.ts';

/** How a file is hashed. */
export interface HashOptions {
  algorithms: readonly string[];
  chunkBytes: number;
  /** Whether the CRC-32 of each chunk is wanted as well. */
  hasCrcs: boolean;
}

/** Digests of a file by algorithm, in hex, and the CRC-32 of each of its chunks where they are wanted. */
export interface HashResult {
  digests: Readonly<Record<string, string>>;
  crcs: readonly number[];
}

/** A file that is being hashed. */
export interface FileHash {
  /** Takes its next bytes. */
  take(bytes: Uint8Array): void;
  /** To be asked for once. */
  result(): HashResult;
}

/** Begins with the first byte. */
export function createFileHash({ algorithms, chunkBytes, hasCrcs }: HashOptions): FileHash {
  const hashers = algorithms.map((name) => ({ name, hasher: createHasher(name) }));
  const crcs: number[] = [];
  let positionBytes = 0;
  return {
    take(bytes) {
      for (const { hasher } of hashers) hasher.update(bytes);
      if (hasCrcs) addCrcs(crcs, bytes, { start: positionBytes, chunkBytes });
      positionBytes += bytes.length;
    },
    result: () => ({
      digests: Object.fromEntries(hashers.map(({ name, hasher }) => [name, hasher.digestHex()])),
      crcs,
    }),
  };
}
