import type { Disk } from './disk.ts';
import { chunkBytes as realChunkBytes } from './chunk.ts';
import type { PartSizes } from './part-file.ts';
import type { HashPool } from './hash-pool.ts';
import type { Hurry } from './hurry.ts';
import { isProof } from './multihash.ts';
import { startTrailingHash, type FileFacts, type FileTrail, type TrailingHash } from './trailing-hash.ts';
import { algorithmsFor, readFacts } from './verify-file.ts';

/** What is read at its end, in one go. */
export const smallBytes = 4 * 1024 * 1024;
// What is hashed in less time than another thread is told of it, and that tells back.
const tinyBytes = 256 * 1024;

/** Hashes the part file of a run while it grows. */
export interface PartTrail extends FileTrail {
  /** What the part file is; read from the beginning again where `isAnew`. @throws AppError `transfer.*`, `cancelled` */
  finish(options?: { isAnew?: boolean }): Promise<FileFacts>;
  stop(): Promise<void>;
}

/** What a trail needs to know when it begins; the announced checksum may become known later. */
export interface TrailedFile {
  readonly partPath: string | null;
  readonly announcedChecksum: string | null;
  readonly announcedBytes: number | null;
}

/** A trail that begins with the first byte. */
export function createPartTrail(
  parts: { disk: Disk; hashes: HashPool; hurry: Hurry; partSizes?: Partial<PartSizes> },
  file: TrailedFile,
): PartTrail {
  const chunkBytes = parts.partSizes?.chunkBytes ?? realChunkBytes;
  if ((file.announcedBytes ?? 0) >= tinyBytes) parts.hashes.prepare();
  let largestBytes = 0;
  const stopping = new AbortController();
  let current: { hash: TrailingHash; key: string } | null = null;

  // What proves itself by its checksum needs no other proof; where that fails the file is read anew.
  function needsCrcs(): boolean {
    return !isProof(file.announcedChecksum);
  }

  function begin({ isAnew = false } = {}): TrailingHash {
    const path = file.partPath ?? '';
    const algorithms = algorithmsFor(file.announcedChecksum);
    const hasCrcs = isAnew || needsCrcs();
    const key = [path, hasCrcs, ...algorithms].join('\0');
    if (current !== null && (isAnew || current.key !== key)) {
      void current.hash.stop();
      current = null;
    }
    const { disk, hashes } = parts;
    const start = () => startTrailingHash({ disk, hashes, path, algorithms, chunkBytes, hasCrcs });
    current ??= { hash: start(), key };
    return current.hash;
  }

  function follow(prefixBytes: number): TrailingHash | null {
    largestBytes = Math.max(largestBytes, prefixBytes);
    if (stopping.signal.aborted || largestBytes < smallBytes) return null;
    return begin();
  }

  return {
    get hasBegun() {
      return current?.hash.hasBegun ?? false;
    },
    take(positionBytes, buffers) {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
      const isHurried = parts.hurry.note(bytes) && positionBytes + bytes >= smallBytes;
      if (!isHurried || stopping.signal.aborted) return null;
      return begin().take(positionBytes, buffers);
    },
    reach: (prefixBytes) => follow(prefixBytes)?.reach(prefixBytes),
    cut: (lengthBytes) => follow(lengthBytes)?.cut(lengthBytes),
    async finish(options) {
      if (current === null && largestBytes < tinyBytes) {
        const { disk } = parts;
        const algorithms = algorithmsFor(file.announcedChecksum);
        const path = file.partPath ?? '';
        const hasCrcs = options?.isAnew === true || needsCrcs();
        return readFacts({ path, algorithms, chunkBytes, signal: stopping.signal, disk, hasCrcs });
      }
      const hash = begin(options);
      if (largestBytes < smallBytes) hash.reach(largestBytes);
      const facts = await hash.finish();
      current = null;
      return facts;
    },
    async stop() {
      stopping.abort();
      await current?.hash.stop();
      current = null;
    },
  };
}
