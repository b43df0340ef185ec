import { AppError } from '#shared/errors/app-error.ts';
import type { Disk, DiskFile } from './disk.ts';
import { toDiskError } from './disk-error.ts';
import {
  hashBufferBytes,
  type HashJob,
  type HashOptions,
  type HashPool,
  type HashResult,
} from './hash-pool.ts';
import { headBytes } from './magic-bytes.ts';

/** What a file is, read back from disk. */
export interface FileFacts extends HashResult {
  sizeBytes: number;
  /** Its first bytes. */
  head: Buffer;
}

/** A file that is hashed while it is still being written, so that hardly anything is left to do at its end. */
export interface TrailingHash {
  /** Says how far the file is written. Less than before: what was read beyond is void. */
  reach(prefixBytes: number): void;
  /**
   * What the file is, all of it; reads what was not read yet.
   * @throws AppError `transfer.*`, `cancelled` when it was stopped
   */
  finish(): Promise<FileFacts>;
  /** Gives up; resolves when the file is closed. */
  stop(): Promise<void>;
}

/** How a file is hashed. */
export interface TrailingHashOptions extends HashOptions {
  disk: Disk;
  pool: HashPool;
  path: string;
}

// Less is not worth a message to another thread.
const leastReadBytes = hashBufferBytes;

/** Begins to hash a file behind its writer; nothing is opened before there is something to read. */
export function startTrailingHash(options: TrailingHashOptions): TrailingHash {
  const { disk, pool, path, algorithms, chunkBytes, hasCrcs } = options;
  const how = { algorithms, chunkBytes, hasCrcs };
  let file: DiskFile | null = null;
  let job: HashJob | null = null;
  let head = Buffer.alloc(0);
  let positionBytes = 0;
  let reachedBytes = 0;
  let readToBytes = 0;
  let isVoid = false;
  let isFinishing = false;
  let isStopped = false;
  let reading: Promise<void> | null = null;

  function beginAgain(): void {
    job?.drop();
    job = null;
    head = Buffer.alloc(0);
    positionBytes = 0;
    readToBytes = 0;
    isVoid = false;
  }

  async function readOn(): Promise<void> {
    for (;;) {
      if (isStopped) throw new AppError('cancelled', 'The check was stopped');
      if (isVoid) beginAgain();
      if (!isFinishing && reachedBytes - positionBytes < leastReadBytes) return;
      if (!(await readSome())) return;
    }
  }

  // False at the end of the file.
  async function readSome(): Promise<boolean> {
    file ??= await disk.open(path, 'read');
    job ??= pool.begin(how);
    const buffer = await job.takeBuffer();
    const mostBytes = isFinishing ? buffer.byteLength : reachedBytes - positionBytes;
    const bytes = new Uint8Array(buffer, 0, Math.min(buffer.byteLength, Math.max(mostBytes, 0)));
    readToBytes = positionBytes + bytes.length;
    const bytesRead = await file.read(bytes, positionBytes);
    // Cut back meanwhile, so that these bytes may be of before or after.
    if (isVoid) return true;
    if (positionBytes === 0) head = Buffer.from(bytes.subarray(0, Math.min(headBytes, bytesRead)));
    positionBytes += bytesRead;
    job.hash(buffer, bytesRead);
    return bytesRead > 0;
  }

  function run(): Promise<void> {
    reading ??= readOn().finally(() => (reading = null));
    return reading;
  }

  async function closeFile(): Promise<void> {
    const open = file;
    file = null;
    await open?.close().catch(() => undefined);
  }

  return {
    reach(prefixBytes) {
      reachedBytes = prefixBytes;
      if (prefixBytes < readToBytes) isVoid = true;
      const isWorth = isVoid || prefixBytes - positionBytes >= leastReadBytes;
      // What goes wrong here shows again at the end, when somebody waits for it.
      if (isWorth && !isStopped) run().catch(() => undefined);
    },
    async finish() {
      try {
        await reading?.catch(() => undefined);
        isFinishing = true;
        await run();
        job ??= pool.begin(how);
        const result = await job.end();
        job = null;
        return { ...result, sizeBytes: positionBytes, head };
      } catch (error) {
        throw toDiskError(error, path);
      } finally {
        await this.stop();
      }
    },
    async stop() {
      isStopped = true;
      await reading?.catch(() => undefined);
      job?.drop();
      job = null;
      await closeFile();
    },
  };
}
