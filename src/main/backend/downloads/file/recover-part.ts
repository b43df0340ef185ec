import { crc32 } from 'node:zlib';
import type { DiskFile } from './disk.ts';
import type { ChunkCrc } from './chunk.ts';

const readBytes = 1024 * 1024;
// A power cut damages what was written last.
const alwaysChecked = 2;

/** What the journal says of a part file, and the file. */
export interface PartToRecover {
  file: DiskFile;
  sizeBytes: number;
  durableBytes: number;
  /** By index; what came fast, or is small, has none where its checksum is known. */
  crcs: ReadonlyMap<number, number>;
  chunkBytes: number;
  /** Nothing is read back. */
  isTrusted: boolean;
  /** Whether the file is proved at its end: then a chunk without a CRC counts. */
  isProvable: boolean;
}

/** A chunk, or the beginning of one, that can be relied on. */
export type TrustedChunk = ChunkCrc & { sizeBytes: number };

/**
 * How much of a part file can be gone on from (downloads.md b.5): the last chunks are read back and must be what was
 * journalled; where they are not, or the file is shorter than it was, every chunk is read, and the first bad one is the
 * end. Throws the file system's errors.
 */
export async function recoverPart(part: PartToRecover): Promise<TrustedChunk[]> {
  const { sizeBytes, durableBytes } = part;
  const chunks = listChunks(part);
  if (part.isTrusted) return trust(part, chunks);
  const isShort = sizeBytes < durableBytes;
  const surelyChecked = isShort ? chunks : chunks.slice(-alwaysChecked);
  const isDamaged = isShort || !(await areAllGood(part, surelyChecked));
  return isDamaged ? takeGood(part, chunks) : trust(part, chunks.slice(0, countCounting(part, chunks)));
}

interface Stretch {
  index: number;
  start: number;
  end: number;
}

function listChunks({ sizeBytes, durableBytes, chunkBytes }: PartToRecover): Stretch[] {
  const chunks: Stretch[] = [];
  for (let index = 0; index * chunkBytes < durableBytes; index += 1) {
    const start = index * chunkBytes;
    const end = Math.min(start + chunkBytes, durableBytes);
    // A chunk that is not all there has no CRC to be measured by.
    if (end <= sizeBytes) chunks.push({ index, start, end });
  }
  return chunks;
}

async function areAllGood(part: PartToRecover, chunks: readonly Stretch[]): Promise<boolean> {
  for (const chunk of chunks) {
    const known = part.crcs.get(chunk.index);
    if (known !== undefined && (await readCrc32(part.file, chunk)) !== known) return false;
  }
  return true;
}

async function takeGood(part: PartToRecover, chunks: readonly Stretch[]): Promise<TrustedChunk[]> {
  const good: TrustedChunk[] = [];
  for (const { index, start, end } of chunks) {
    const actual = await readCrc32(part.file, { start, end });
    if (actual !== part.crcs.get(index)) break;
    good.push({ index, crc32: actual, sizeBytes: end - start });
  }
  return good;
}

// The file's own checksum may have been withdrawn since; then nothing would show that what has no CRC is damaged.
function countCounting({ isProvable, crcs }: PartToRecover, chunks: readonly Stretch[]): number {
  const unknown = isProvable ? -1 : chunks.findIndex(({ index }) => !crcs.has(index));
  return unknown < 0 ? chunks.length : unknown;
}

function trust({ crcs }: PartToRecover, chunks: readonly Stretch[]): TrustedChunk[] {
  return chunks.map(({ index, start, end }) => ({
    index,
    crc32: crcs.get(index) ?? null,
    sizeBytes: end - start,
  }));
}

/** The CRC of a stretch of a file as it is on disk. Throws the file system's errors. */
export async function readCrc32(
  file: DiskFile,
  { start, end }: { start: number; end: number },
): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(readBytes, Math.max(end - start, 0)));
  let crc = 0;
  for (let position = start; position < end;) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, end - position));
    const bytesRead = await file.read(wanted, position);
    if (bytesRead === 0) break;
    crc = crc32(wanted.subarray(0, bytesRead), crc);
    position += bytesRead;
  }
  return crc;
}
