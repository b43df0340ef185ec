import { AppError } from '#shared/errors/app-error.ts';
import type { Clock } from '../../ports.ts';
import {
  chunkBytes as realChunkBytes,
  pieceBytes as realPieceBytes,
  windowChunks as realWindowChunks,
  type Durable,
  type Island,
} from './chunk.ts';
import { createCheckpointPace } from './checkpoint-pace.ts';
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
  /**
   * The journal: told only of what is synced, or before that becomes less. Resolves when it is written down, which may
   * take some time where it need not be `atOnce`.
   */
  onDurable: (durable: Durable, options: { atOnce: boolean }) => void | Promise<void>;
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
  const { syncInTurn = (sync) => sync(), needsCrcs = () => true } = options;
  const sizes = { ...realSizes, ...options.sizes };
  const { chunkBytes } = sizes;
  const file =
    options.file ??
    (await openOwnPart(path, disk).catch((error: unknown) => {
      throw toDiskError(error, path);
    }));
  const written = createWrittenMap({ chunkBytes, pieceBytes: Math.min(sizes.pieceBytes, chunkBytes) });
  const taken = createTakenMap();
  const pace = createCheckpointPace(clock, sizes.checkpointBytes);
  const queue = createWriteQueue(file, sizes, {
    // Where bytes before them are still to come, their memory would be held until then.
    take: (start, buffers) => (start < taken.prefixBytes ? (trail?.take(start, buffers) ?? null) : null),
    note(start, buffers) {
      written.add(start, buffers, { hasCrc: needsCrcs() });
      for (const { length } of buffers) pace.noteWritten(length);
      trail?.reach(written.prefixBytes);
    },
  });
  let durableBytes = options.durableBytes;
  // Told to the journal, and written down soon.
  let journalledBytes = durableBytes;
  let syncing: Promise<void> | null = null;
  let hasJournalledIslands = false;
  let catchingUp: Promise<void> | null = null;
  let isClosed = false;
  let broken: { error: unknown } | null = null;

  // Data before journal: the other way round a crash would call bytes finished that were never written.
  async function sync({ atOnce }: { atOnce: boolean }): Promise<void> {
    if (broken !== null) throw broken.error;
    const reached = written.takeChanges();
    const noteSettled = pace.begin();
    try {
      await syncInTurn(() => file.datasync());
    } catch (error) {
      // The system may have dropped the data and say nothing of it at the next sync.
      throw breakWith(error);
    }
    const hasIslands = reached.islands.length > 0 || hasJournalledIslands;
    const isNews = reached.durableBytes !== journalledBytes || reached.chunks.length > 0 || hasIslands;
    const journalled = isNews || atOnce ? journal(reached, { atOnce }) : Promise.resolve();
    const noted = journalled.then(noteSettled);
    if (atOnce) await noted;
    else noted.catch(() => undefined);
  }

  async function journal(reached: Durable, urgency: { atOnce: boolean }): Promise<void> {
    journalledBytes = reached.durableBytes;
    hasJournalledIslands = reached.islands.length > 0;
    try {
      await onDurable(reached, urgency);
    } catch (error) {
      throw breakWith(error);
    }
    durableBytes = reached.durableBytes;
  }

  function breakWith(error: unknown): unknown {
    broken ??= { error };
    return error;
  }

  function syncWhenDue(): void {
    if (syncing !== null || broken !== null || !pace.isDue) return;
    queue.flush();
    void startSync({ atOnce: false }).catch(() => undefined);
  }

  function isTooFarAhead(): boolean {
    return !isClosed && broken === null && pace.isTooFarAhead;
  }

  function waitUntilDurable(): Promise<void> | null {
    if (!isTooFarAhead()) return null;
    catchingUp ??= catchUp().finally(() => (catchingUp = null));
    return catchingUp;
  }

  async function catchUp(): Promise<void> {
    await settleSync();
    while (isTooFarAhead()) {
      await queue.drain();
      await startSync({ atOnce: true });
    }
  }

  function startSync(urgency: { atOnce: boolean }): Promise<void> {
    const started = sync(urgency).finally(() => {
      if (syncing === started) syncing = null;
    });
    syncing = started;
    return started;
  }

  async function settleSync(): Promise<void> {
    while (syncing !== null) await syncing.catch(() => undefined);
  }

  async function cutTo(lengthBytes: number): Promise<void> {
    const cutChunk = Math.floor(lengthBytes / chunkBytes);
    const start = cutChunk * chunkBytes;
    const hasCut = lengthBytes > start && written.prefixBytes > lengthBytes;
    const crc32 = hasCut ? await readCrc32(file, { start, end: lengthBytes }) : 0;
    written.cut(hasCut ? start : lengthBytes);
    if (hasCut) written.know({ index: cutChunk, crc32, sizeBytes: lengthBytes - start, isNew: true });
    taken.reset(written.prefixBytes);
    trail?.cut(written.prefixBytes);
    // Journal before data, this once: it may know too little, never too much.
    if (journalledBytes > lengthBytes) await journal(written.takeChanges(), { atOnce: true });
    else if (hasJournalledIslands) await journal(withoutIslands(), { atOnce: true });
    await file.truncate(lengthBytes);
  }

  // As it was journalled: what has come since isn't synced yet.
  function withoutIslands(): Durable {
    const chunkCount = Math.ceil(journalledBytes / chunkBytes);
    return { durableBytes: journalledBytes, chunks: [], chunkCount, islands: [] };
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
    const known = options.islands ?? [];
    hasJournalledIslands = known.length > 0;
    for (const { startBytes: start, endBytes: end, crc32 } of known) {
      const isThere = end <= sizeBytes && start > written.prefixBytes;
      if (!isThere || (await readCrc32(file, { start, end })) !== crc32) return false;
    }
    const endBytes = Math.max(...known.map((island) => island.endBytes));
    if (known.length > 0 && sizeBytes > endBytes) await file.truncate(endBytes);
    for (const island of known) {
      written.restore(island);
      taken.take(island.startBytes, island.endBytes);
    }
    return known.length > 0;
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
    if (broken !== null) throw toDiskError(broken.error, path);
    if (!taken.take(positionBytes, positionBytes + chunk.length)) {
      throw new AppError('internal', 'Bytes in place of others in a part file');
    }
    pace.noteTaken(chunk.length);
    try {
      const room = queue.push(positionBytes, chunk);
      syncWhenDue();
      const durable = waitUntilDurable();
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
      return durableBytes;
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
        await settleSync();
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
          await settleSync();
          // A full disk has taken what came before it was full.
          await startSync({ atOnce: true });
        }
      }),
    async close() {
      isClosed = true;
      await queue.abandon();
      await settleSync();
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
