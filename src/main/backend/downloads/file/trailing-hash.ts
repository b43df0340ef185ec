import { AppError } from '#shared/errors/app-error.ts';
import type { Disk, DiskFile } from './disk.ts';
import { toDiskError } from './disk-error.ts';
import type { HashOptions, HashResult } from './file-hash.ts';
import type { HashJob, HashPool } from './hash-pool.ts';
import { headBytes } from './magic-bytes.ts';

/** What a file is. */
export interface FileFacts extends HashResult {
  sizeBytes: number;
  /** Its first bytes. */
  head: Buffer;
}

/** Follows a file that is being written. */
export interface FileTrail {
  /**
   * Offers the bytes at a position, as they are given to the disk like all before them. Null: they will be read back. Else
   * resolves when their memory may be used again.
   */
  take(positionBytes: number, buffers: readonly Uint8Array[]): Promise<void> | null;
  /** Says how far the file is written, and can be read back. */
  reach(prefixBytes: number): void;
  /** Says that the file was cut back, or is another from there on: what was beyond is void. */
  cut(lengthBytes: number): void;
  /** Whether it was begun: what it took, or has read, is not looked at again. */
  readonly hasBegun: boolean;
}

/** A file that is hashed while it is being written, so that hardly anything is left to do at its end. */
export interface TrailingHash extends FileTrail {
  /**
   * What the file is, all of it; reads what was not offered.
   * @throws AppError `transfer.*`, `cancelled` when it was stopped
   */
  finish(): Promise<FileFacts>;
  /** Gives up; resolves when the file is closed. */
  stop(): Promise<void>;
}

/** How a file is hashed. */
export interface TrailingHashOptions extends HashOptions {
  disk: Disk;
  hashes: HashPool;
  path: string;
}

// Less is not worth a message to another thread.
const readBytes = 2 * 1024 * 1024;
const buffersAtOnce = 2;
// So much is read back in a moment, while whoever offers what follows waits.
const mostBehindBytes = 32 * 1024 * 1024;
const mostSpareBuffers = 16;
// Used again: to get such memory, and to give it back, takes as long as to read into it.
const spare: SharedArrayBuffer[] = [];

interface Offered {
  startBytes: number;
  buffers: readonly Uint8Array[];
  done: () => void;
}

/** Begins to hash a file behind its writer; nothing is opened before there is something to read. */
export function startTrailingHash(options: TrailingHashOptions): TrailingHash {
  const { disk, hashes, path, algorithms, chunkBytes, hasCrcs } = options;
  const how = { algorithms, chunkBytes, hasCrcs };
  /** Those to read into, each when what was in it is hashed. */
  const buffers: Promise<SharedArrayBuffer>[] = [];
  let file: DiskFile | null = null;
  let job: HashJob | null = null;
  let head = Buffer.alloc(0);
  /** End of what is hashed, or about to be. */
  let positionBytes = 0;
  let reachedBytes = 0;
  let readToBytes = 0;
  /** Taken, and hashed once what is before them is. */
  const offered: Offered[] = [];
  let offeredToBytes = 0;
  let isVoid = false;
  let isFinishing = false;
  let isStopped = false;
  let isReading = false;
  let reading = Promise.resolve();

  async function beginAgain(): Promise<void> {
    isVoid = false;
    job?.drop();
    job = null;
    head = Buffer.alloc(0);
    positionBytes = 0;
    readToBytes = 0;
    // Another file may have its name by now.
    await closeFile();
  }

  // All of it is on the disk as well.
  function letGo(): void {
    for (const { done } of offered.splice(0)) done();
  }

  function hasMore(): boolean {
    const leftBytes = reachedBytes - positionBytes;
    if (isVoid) return true;
    if (isFinishing) return leftBytes !== 0 || positionBytes === 0;
    return leftBytes >= readBytes || (offered.length > 0 && leftBytes > 0);
  }

  async function readOn(): Promise<void> {
    try {
      for (;;) {
        if (isStopped) throw new AppError('cancelled', 'The check was stopped');
        if (isVoid) await beginAgain();
        hashOffered();
        if (!hasMore() || !(await readSome())) return;
      }
    } catch (error) {
      letGo();
      throw error;
    } finally {
      isReading = false;
    }
  }

  function hashOffered(): void {
    while (offered[0]?.startBytes === positionBytes) {
      const next = offered.shift();
      if (next === undefined) return;
      void hashNext((job ??= hashes.begin(how)), next.buffers).then(next.done);
      readToBytes = positionBytes;
    }
  }

  // False at the end of the file.
  async function readSome(): Promise<boolean> {
    file ??= await disk.open(path, 'read');
    const into = (job ??= hashes.begin(how));
    const buffer = await takeBuffer();
    const untilBytes = Math.min(isFinishing ? Infinity : reachedBytes, offered[0]?.startBytes ?? Infinity);
    const lengthBytes = Math.min(buffer.byteLength, Math.max(0, untilBytes - positionBytes));
    const bytes = new Uint8Array(buffer, 0, lengthBytes);
    readToBytes = positionBytes + lengthBytes;
    let hashed = Promise.resolve();
    try {
      const bytesRead = await file.read(bytes, positionBytes);
      // Cut back meanwhile, so that these bytes may be of before or after.
      if (isVoid) return true;
      if (bytesRead > 0) hashed = hashNext(into, [bytes.subarray(0, bytesRead)]);
      return bytesRead > 0;
    } finally {
      buffers.push(hashed.then(() => buffer));
    }
  }

  async function takeBuffer(): Promise<SharedArrayBuffer> {
    const isNew = buffers.length < buffersAtOnce;
    const next = isNew ? undefined : buffers.shift();
    return (await next) ?? spare.pop() ?? new SharedArrayBuffer(readBytes);
  }

  function hashNext(into: HashJob, next: readonly Uint8Array[]): Promise<void> {
    for (const bytes of next) {
      if (positionBytes < headBytes)
        head = Buffer.concat([head, bytes.subarray(0, headBytes - positionBytes)]);
      positionBytes += bytes.length;
    }
    return into.hash(next);
  }

  function run(): Promise<void> {
    if (isReading) return reading;
    isReading = true;
    return (reading = readOn());
  }

  function follow(): void {
    // What goes wrong here shows again at the end, when somebody waits for it.
    if (hasMore() && !isStopped) run().catch(() => undefined);
  }

  async function closeFile(): Promise<void> {
    const open = file;
    file = null;
    await open?.close().catch(() => undefined);
    for (const buffer of await Promise.all(buffers.splice(0)))
      if (spare.length < mostSpareBuffers) spare.push(buffer);
  }

  return {
    get hasBegun() {
      return positionBytes > 0;
    },
    take(startBytes, buffers) {
      const isShared = buffers.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
      const isNext = startBytes >= (offered.length > 0 ? offeredToBytes : positionBytes);
      const isNear = startBytes - positionBytes <= mostBehindBytes;
      if (isStopped || isVoid || !isShared || !isNext || !isNear) return null;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      offered.push({ startBytes, buffers, done: () => resolve(undefined) });
      offeredToBytes = startBytes + buffers.reduce((sum, { length }) => sum + length, 0);
      if (!isReading) hashOffered();
      follow();
      return promise;
    },
    reach(prefixBytes) {
      reachedBytes = prefixBytes;
      follow();
    },
    cut(lengthBytes) {
      // Of before the cut, and waiting for what comes before them: never, if that was cut away.
      letGo();
      reachedBytes = lengthBytes;
      if (lengthBytes < readToBytes) isVoid = true;
      follow();
    },
    async finish() {
      try {
        await reading.catch(() => undefined);
        isFinishing = true;
        await run();
        job ??= hashes.begin(how);
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
      letGo();
      await reading.catch(() => undefined);
      job?.drop();
      job = null;
      await closeFile();
    },
  };
}
