import { AppError } from '#shared/errors/app-error.ts';
import type { Clock } from '../../ports.ts';
import {
  chunkBytes as realChunkBytes,
  pieceBytes as realPieceBytes,
  windowChunks as realWindowChunks,
  type Island,
} from './chunk.ts';
import { createCheckpoints, type Journal } from './checkpoints.ts';
import { systemDisk, type Disk, type DiskFile } from './disk.ts';
import { toDiskError } from './disk-error.ts';
import { openOwnPart } from './own-part.ts';
import { readCrc32, recoverPart } from './recover-part.ts';
import { createTakenMap } from './taken-map.ts';
import type { FileTrail } from './trailing-hash.ts';
import { createWriteQueue, type WriteSizes } from './write-queue.ts';
import { createWrittenMap } from './written-map.ts';

/** How a part file is written and journalled; tests use small figures. */
export interface PartSizes extends WriteSizes {
  chunkBytes: number;
  /** A chunk has a whole number of them; where it is smaller, it is one itself. */
  pieceBytes: number;
  /** How many chunks may be begun beyond the bytes that count; mostly fewer are, see `fetch/claim-size.ts`. */
  windowChunks: number;
  checkpointBytes: number;
}

const realSizes: PartSizes = {
  chunkBytes: realChunkBytes,
  pieceBytes: realPieceBytes,
  windowChunks: realWindowChunks,
  writeBytes: 2 * 1024 * 1024,
  mostWriteBytes: 4 * 1024 * 1024,
  mostBufferedBytes: 8 * 1024 * 1024,
  checkpointBytes: 64 * 1024 * 1024,
};

/**
 * A file on its way: written in order or in several places of a window, synced, and only then journalled (downloads.md
 * b.3, b.4). What counts is what is there from the first byte on without a gap.
 */
export interface PartFile {
  /** Bytes taken from the first on without a gap, on disk or about to be: where the next request goes on. */
  readonly prefixBytes: number;
  /** Bytes that the journal knows to be on disk. */
  readonly durableBytes: number;
  /** Where the window ends: no byte from here on is taken yet. At most 448 MiB after the prefix. */
  readonly windowEndBytes: number;
  /** End of the bytes taken from a position on without a gap; the position itself when there are none. */
  takenUntil(positionBytes: number): number;
  /**
   * Takes bytes for a position that has none yet. Wait for the promise, if there is one, before giving more.
   * @throws AppError `internal` for bytes outside the window or in place of others
   */
  write(positionBytes: number, chunk: Uint8Array): Promise<void> | null;
  /** `write` at the end of the prefix. */
  append(chunk: Uint8Array): Promise<void> | null;
  /** How many bytes of `chunk` are the same as those at a position; all of them must be within the file. */
  countEqual(positionBytes: number, chunk: Buffer): Promise<number>;
  /** Where the first gap ends; null where nothing lies beyond the prefix. */
  readonly gapEndBytes: number | null;
  /** Drops what comes after a length, which is at most that of the prefix, and everything in the window. */
  truncate(lengthBytes: number): Promise<void>;
  /** Puts a whole chunk of the prefix right; gives whether it was another before. Synced with the next checkpoint. */
  replaceChunk(index: number, bytes: Buffer): Promise<boolean>;
  /** Everything taken so far written, and the prefix synced and journalled. */
  checkpoint(): Promise<void>;
  /** Closes without another checkpoint. */
  close(): Promise<void>;
}

/** How a part file is opened. */
export interface PartFileOptions {
  path: string;
  /** Open already, since it was made a moment ago. */
  file?: DiskFile | null;
  /** Bytes that the journal knows to be there; what comes after them was never synced and is cut off. */
  durableBytes: number;
  /** CRCs of the journal's chunks by index. */
  crcs?: ReadonlyMap<number, number>;
  /** Whether the CRC of what is written is worth its time. Without, damage to it shows only at the file's end. */
  needsCrcs?: () => boolean;
  /** Whether the file is proved at its end, so that what was journalled without a CRC can be relied on for now. */
  isProvable?: boolean;
  /** Takes the journal at its word, to put a file right that is known to be damaged. */
  isTrusted?: boolean;
  clock: Clock;
  onDurable: Journal;
  /** Follows the bytes that count, from the first on without a gap. */
  trail?: FileTrail;
  /** What the journal knows of beyond the first gap. */
  islands?: readonly Island[];
  /** Lets one sync at a time go on. */
  syncInTurn?: (sync: () => Promise<void>) => Promise<void>;
  disk?: Disk;
  sizes?: Partial<PartSizes>;
}

/**
 * Opens a part file that its transfer has made before, as far as its bytes can be relied on.
 * @throws AppError `transfer.disk-full`, `transfer.disk-error`, `transfer.destination-*`
 */
export async function openPartFile(options: PartFileOptions): Promise<PartFile> {
  const { path, clock, onDurable, trail, disk = systemDisk } = options;
  const { durableBytes, islands = [], syncInTurn = (sync) => sync(), needsCrcs = () => true } = options;
  const sizes = { ...realSizes, ...options.sizes };
  const { chunkBytes } = sizes;
  const file =
    options.file ??
    (await openOwnPart(path, disk).catch((error: unknown) => {
      throw toDiskError(error, path);
    }));
  const written = createWrittenMap({ chunkBytes, pieceBytes: Math.min(sizes.pieceBytes, chunkBytes) });
  const taken = createTakenMap();
  const queue = createWriteQueue(file, sizes, {
    // Where bytes before them are still to come, their memory would be held until then.
    take: (start, buffers) => (start < taken.prefixBytes ? (trail?.take(start, buffers) ?? null) : null),
    note(start, buffers) {
      written.add(start, buffers, { hasCrc: needsCrcs() });
      for (const { length } of buffers) checkpoints.noteWritten(length);
      trail?.reach(written.prefixBytes);
    },
  });
  const checkpoints = createCheckpoints({
    written,
    queue,
    sync: () => syncInTurn(() => file.datasync()),
    onDurable,
    clock,
    durableBytes,
    hasIslands: islands.length > 0,
    chunkBytes,
    checkpointBytes: sizes.checkpointBytes,
  });

  async function cutTo(lengthBytes: number): Promise<void> {
    const cutChunk = Math.floor(lengthBytes / chunkBytes);
    const start = cutChunk * chunkBytes;
    const hasCut = lengthBytes > start && written.prefixBytes > lengthBytes;
    const crc32 = hasCut ? await readCrc32(file, { start, end: lengthBytes }) : 0;
    written.cut(hasCut ? start : lengthBytes);
    if (hasCut) written.know({ index: cutChunk, crc32, sizeBytes: lengthBytes - start, isNew: true });
    taken.reset(written.prefixBytes);
    trail?.cut(written.prefixBytes);
    await checkpoints.forgetBeyond(lengthBytes);
    await file.truncate(lengthBytes);
  }

  async function recover(): Promise<void> {
    const sizeBytes = await file.sizeBytes();
    const crcs = options.crcs ?? new Map<number, number>();
    const trusted = await recoverPart({
      file,
      sizeBytes,
      durableBytes,
      crcs,
      chunkBytes,
      isTrusted: options.isTrusted ?? false,
      isProvable: options.isProvable ?? false,
    });
    for (const chunk of trusted) written.know({ ...chunk, isNew: false });
    taken.reset(written.prefixBytes);
    const isSound = written.prefixBytes === durableBytes;
    if (isSound && (await landOnIslands(sizeBytes))) trail?.reach(written.prefixBytes);
    else if (!isSound || sizeBytes !== durableBytes) await cutTo(written.prefixBytes);
    else trail?.reach(written.prefixBytes);
  }

  // Read back: nobody has watched the file meanwhile.
  async function landOnIslands(sizeBytes: number): Promise<boolean> {
    for (const { startBytes: start, endBytes: end, crc32 } of islands) {
      const isThere = end <= sizeBytes && start > written.prefixBytes;
      if (!isThere || (await readCrc32(file, { start, end })) !== crc32) return false;
    }
    const endBytes = Math.max(...islands.map((island) => island.endBytes));
    if (islands.length > 0 && sizeBytes > endBytes) await file.truncate(endBytes);
    for (const island of islands) {
      written.restore(island);
      taken.take(island.startBytes, island.endBytes);
    }
    return islands.length > 0;
  }

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toDiskError(error, path);
    }
  }

  function windowEndBytes(): number {
    return (Math.floor(taken.prefixBytes / chunkBytes) + sizes.windowChunks) * chunkBytes;
  }

  function write(positionBytes: number, chunk: Uint8Array): Promise<void> | null {
    if (chunk.length === 0) return null;
    // In order there is no window to go beyond.
    if (positionBytes !== taken.prefixBytes && positionBytes + chunk.length > windowEndBytes()) {
      throw new AppError('internal', 'Bytes beyond the window of a part file');
    }
    const { failure } = checkpoints;
    if (failure !== null) throw toDiskError(failure.error, path);
    if (!taken.take(positionBytes, positionBytes + chunk.length)) {
      throw new AppError('internal', 'Bytes in place of others in a part file');
    }
    checkpoints.noteTaken(chunk.length);
    try {
      const room = queue.push(positionBytes, chunk);
      checkpoints.beginWhenDue();
      const durable = checkpoints.catchUp();
      if (room === null && durable === null) return null;
      return guard(() => Promise.all([room, durable]).then(() => undefined));
    } catch (error) {
      throw toDiskError(error, path);
    }
  }

  await guard(recover).catch(async (error: unknown) => {
    await file.close().catch(() => undefined);
    throw error;
  });

  return {
    get prefixBytes() {
      return taken.prefixBytes;
    },
    get durableBytes() {
      return checkpoints.durableBytes;
    },
    get windowEndBytes() {
      return windowEndBytes();
    },
    get gapEndBytes() {
      return taken.gapEndBytes;
    },
    takenUntil: (positionBytes) => taken.endFrom(positionBytes),
    write,
    append: (chunk) => write(taken.prefixBytes, chunk),
    countEqual: (positionBytes, chunk) =>
      guard(async () => {
        await queue.drain();
        return countEqualBytes(await readAt(file, positionBytes, chunk.length), chunk);
      }),
    truncate: (lengthBytes) =>
      guard(async () => {
        await queue.drain();
        await checkpoints.settle();
        await cutTo(Math.min(lengthBytes, written.prefixBytes));
      }),
    replaceChunk: (index, bytes) =>
      guard(async () => {
        await queue.drain();
        const start = index * chunkBytes;
        if (bytes.length !== Math.min(chunkBytes, written.prefixBytes - start)) {
          throw new AppError('internal', 'A chunk is replaced whole or not at all');
        }
        if ((await readAt(file, start, bytes.length)).equals(bytes)) return false;
        for (let offset = 0; offset < bytes.length;) {
          offset += await file.write([bytes.subarray(offset)], start + offset);
        }
        written.add(start, [bytes]);
        return true;
      }),
    checkpoint: () =>
      guard(async () => {
        try {
          await queue.drain();
        } finally {
          // A full disk has taken what came before it was full.
          await checkpoints.make();
        }
      }),
    async close() {
      checkpoints.close();
      await queue.abandon();
      await checkpoints.settle();
      await guard(async () => {
        // What was looked at as it was written must be what has the name, and nobody have cut a piece out of it.
        if (trail?.hasBegun === true && (await file.filledBytesAt(path)) !== written.prefixBytes)
          trail.cut(0);
        await file.close();
      });
    },
  };
}

async function readAt(file: DiskFile, positionBytes: number, lengthBytes: number): Promise<Buffer> {
  const own = Buffer.allocUnsafe(lengthBytes);
  return own.subarray(0, await file.read(own, positionBytes));
}

function countEqualBytes(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  if (left.subarray(0, length).equals(right.subarray(0, length))) return length;
  for (let index = 0; index < length; index += 1) if (left[index] !== right[index]) return index;
  return length;
}
