import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Clock } from '../ports.ts';
import { hasDiskCode, toDiskError } from './disk-error.ts';

const writeBytes = 1024 * 1024;
const mostPendingBytes = 8 * 1024 * 1024;
// With a write under way and another gathered, what a crash can lose stays below the promised 64 MiB.
const checkpointBytes = 40 * 1024 * 1024;
const checkpointMs = 5000;

/** A file on its way: appended to, synced, and only then journalled (downloads.md b.3). */
export interface PartFile {
  /** Bytes taken so far, on disk or about to be. */
  readonly lengthBytes: number;
  /** Takes bytes at the end. Wait for the promise, if there is one, before giving more. */
  append(chunk: Buffer): Promise<void> | null;
  /** How many bytes of `chunk` are the same as those at a position; all of them must be within the file. */
  countEqual(positionBytes: number, chunk: Buffer): Promise<number>;
  truncate(lengthBytes: number): Promise<void>;
  /** Everything taken so far, written, synced and journalled. */
  checkpoint(): Promise<void>;
  /** Closes without another checkpoint. */
  close(): Promise<void>;
}

/** How a part file is opened. */
export interface PartFileOptions {
  path: string;
  /** Bytes that the journal knows to be there; what comes after them was never synced and is cut off. */
  durableBytes: number;
  clock: Clock;
  /** The journal: called only with what is synced, or when that has become less. */
  onDurable: (durableBytes: number) => void;
}

/**
 * Opens a part file that its transfer has made before.
 * @throws AppError `transfer.disk-full`, `transfer.disk-error`, `transfer.destination-*`
 */
export async function openPartFile(options: PartFileOptions): Promise<PartFile> {
  const { path, clock, onDurable } = options;
  const file = await openRegular(path).catch((error: unknown) => {
    throw toDiskError(error, path);
  });
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let writingBytes = 0;
  let writtenBytes = 0;
  let durableBytes = options.durableBytes;
  let syncedAtMs = clock.now();
  let writing: Promise<void> | null = null;
  let failure: unknown = null;
  // After a failed sync the system may have dropped the data and say nothing of it at the next one.
  let isSyncBroken = false;

  async function cutTo(lengthBytes: number): Promise<void> {
    await file.truncate(lengthBytes);
    writtenBytes = lengthBytes;
    if (durableBytes > lengthBytes) {
      durableBytes = lengthBytes;
      onDurable(durableBytes);
    }
  }

  function startWriting(): void {
    writing = writePending()
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        writing = null;
        if (failure === null && pendingBytes >= writeBytes) startWriting();
      });
  }

  async function writePending(): Promise<void> {
    const buffers = pending;
    pending = [];
    let left = pendingBytes;
    pendingBytes = 0;
    writingBytes = left;
    while (left > 0) {
      const { bytesWritten } = await file.writev(buffers, writtenBytes);
      writtenBytes += bytesWritten;
      writingBytes -= bytesWritten;
      left -= bytesWritten;
      if (left > 0) dropFront(buffers, bytesWritten);
    }
    const isDue = writtenBytes - durableBytes >= checkpointBytes || clock.now() - syncedAtMs >= checkpointMs;
    if (isDue) await sync();
  }

  // Data before journal: the other way round a crash would call bytes finished that were never written.
  async function sync(): Promise<void> {
    const reached = writtenBytes;
    isSyncBroken = true;
    await file.datasync();
    isSyncBroken = false;
    syncedAtMs = clock.now();
    if (reached === durableBytes) return;
    durableBytes = reached;
    onDurable(durableBytes);
  }

  async function drain(): Promise<void> {
    while (writing !== null || pendingBytes > 0) {
      if (writing === null) startWriting();
      await writing;
      throwFailure();
    }
    throwFailure();
  }

  function throwFailure(): void {
    if (failure !== null) throw toDiskError(failure, path);
  }

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toDiskError(error, path);
    }
  }

  await guard(async () => {
    const { size } = await file.stat();
    await cutTo(Math.min(size, durableBytes));
  }).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });

  return {
    get lengthBytes() {
      return writtenBytes + writingBytes + pendingBytes;
    },
    append(chunk) {
      throwFailure();
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes >= writeBytes && writing === null) startWriting();
      return pendingBytes >= mostPendingBytes && writing !== null ? writing.then(throwFailure) : null;
    },
    countEqual: (positionBytes, chunk) =>
      guard(async () => {
        await drain();
        const own = Buffer.allocUnsafe(chunk.length);
        const { bytesRead } = await file.read(own, 0, own.length, positionBytes);
        return countEqualBytes(own.subarray(0, bytesRead), chunk);
      }),
    truncate: (lengthBytes) =>
      guard(async () => {
        await drain();
        await cutTo(lengthBytes);
      }),
    checkpoint: () =>
      guard(async () => {
        try {
          await drain();
        } finally {
          // A full disk has taken what came before it was full.
          if (!isSyncBroken) await sync();
        }
      }),
    async close() {
      await writing;
      await file.close();
    },
  };
}

/**
 * Makes a new, empty part file; false when something of that name is there.
 * @throws AppError as `openPartFile`
 */
export async function createPartFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.close();
    return true;
  } catch (error) {
    if (hasDiskCode(error, 'EEXIST')) return false;
    throw toDiskError(error, path);
  }
}

// Windows has no such flag.
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

// Through a link put in its place, the part would be written anywhere.
async function openRegular(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | noFollow);
}

function dropFront(buffers: Buffer[], bytes: number): void {
  let left = bytes;
  while (left > 0) {
    const [first] = buffers;
    if (first === undefined) return;
    if (first.length > left) {
      buffers[0] = first.subarray(left);
      return;
    }
    left -= first.length;
    buffers.shift();
  }
}

function countEqualBytes(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  if (left.subarray(0, length).equals(right.subarray(0, length))) return length;
  for (let index = 0; index < length; index += 1) if (left[index] !== right[index]) return index;
  return length;
}
