import type { Disk } from './disk.ts';
import { chunkBytes as realChunkBytes } from './chunk.ts';
import type { PartSizes } from './part-file.ts';
import type { HashPool } from './hash-pool.ts';
import { decodeChecksum } from './multihash.ts';
import { startTrailingHash, type FileFacts, type FileTrail, type TrailingHash } from './trailing-hash.ts';
import type { Timers } from '../schedule/timers.ts';
import { algorithmsFor, readFacts } from './verify-file.ts';

// Hashed in less time than another thread is told of it, and that tells back.
const smallBytes = 4 * 1024 * 1024;
// What is read back is what anybody will find. But a disk can't be written and read back as fast as this comes (bytes a
// millisecond): it is hashed as it is given to the disk.
const hurriedRate = (256 * 1024 * 1024) / 1000;
const measuredBytes = 16 * 1024 * 1024;

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
  parts: { disk: Disk; hashes: HashPool; timers: Timers; partSizes?: Partial<PartSizes> },
  file: TrailedFile,
): PartTrail {
  const chunkBytes = parts.partSizes?.chunkBytes ?? realChunkBytes;
  if ((file.announcedBytes ?? 0) >= smallBytes) parts.hashes.prepare();
  let largestBytes = 0;
  const stopping = new AbortController();
  let current: { hash: TrailingHash; key: string } | null = null;
  let measured: { fromBytes: number; fromMs: number; isHurried: boolean } | null = null;

  // What proves itself by its checksum needs no other proof; where that fails the file is read anew.
  function needsCrcs(): boolean {
    return file.announcedChecksum === null || decodeChecksum(file.announcedChecksum) === null;
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

  function isHurriedAt(positionBytes: number): boolean {
    measured ??= { fromBytes: positionBytes, fromMs: parts.timers.elapsedMs(), isHurried: false };
    const bytes = positionBytes - measured.fromBytes;
    if (bytes < 0 || bytes >= measuredBytes) {
      const nowMs = parts.timers.elapsedMs();
      const isHurried = bytes > (nowMs - measured.fromMs) * hurriedRate;
      measured = { fromBytes: positionBytes, fromMs: nowMs, isHurried };
    }
    return measured.isHurried;
  }

  // A small file is read at its end, in one go.
  function follow(prefixBytes: number): TrailingHash | null {
    largestBytes = Math.max(largestBytes, prefixBytes);
    if (stopping.signal.aborted || largestBytes < smallBytes) return null;
    return begin();
  }

  return {
    take(positionBytes, buffers) {
      if (stopping.signal.aborted || !isHurriedAt(positionBytes)) return null;
      return begin().take(positionBytes, buffers);
    },
    reach: (prefixBytes) => follow(prefixBytes)?.reach(prefixBytes),
    cut: (lengthBytes) => follow(lengthBytes)?.cut(lengthBytes),
    async finish(options) {
      if (current === null && largestBytes < smallBytes) {
        const { disk } = parts;
        const algorithms = algorithmsFor(file.announcedChecksum);
        const path = file.partPath ?? '';
        const hasCrcs = options?.isAnew === true || needsCrcs();
        return readFacts({ path, algorithms, chunkBytes, signal: stopping.signal, disk, hasCrcs });
      }
      const facts = await begin(options).finish();
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
