import { AppError } from '#shared/errors/app-error.ts';
import type { Verification } from '#shared/transfer/transfer.ts';
import { chunkBytes as realChunkBytes } from './chunk.ts';
import { systemDisk, type Disk } from './disk.ts';
import { toDiskError } from './disk-error.ts';
import { createFileHash } from './file-hash.ts';
import { findWrongContent, headBytes, type ExpectedFile } from './magic-bytes.ts';
import { decodeChecksum, encodeSha256, type Checksum } from './multihash.ts';
import type { FileFacts } from './trailing-hash.ts';

// One piece is hashed in one to five milliseconds, so that the event loop is never held long.
const pieceBytes = 2 * 1024 * 1024;
// Used again: to get such memory, and to give it back, takes as long as to read into it.
const sparePieces: Buffer[] = [];
const mostSparePieces = 8;

/** What is known about a file that is to be proved. */
export interface AnnouncedFile {
  /** `file:size` and `file:checksum` as the catalog announced them. */
  announcedBytes: number | null;
  announcedChecksum: string | null;
  /** What the source said the whole is. */
  totalBytes: number | null;
  expected: ExpectedFile;
}

/** A file to be proved. */
export interface FileToVerify extends AnnouncedFile {
  path: string;
  signal: AbortSignal;
  disk?: Disk;
}

/** What was proved, and the SHA-256 of the bytes as a multihash in hex. */
export interface VerifiedFile {
  verification: Verification;
  digest: string;
  sizeBytes: number;
}

/**
 * Reads a file back from disk and proves all that the catalog gives the means for.
 * @throws AppError `transfer.size-mismatch`, `transfer.checksum-mismatch`, `transfer.wrong-content`,
 *   `transfer.disk-error`, `cancelled`
 */
export async function verifyFile(file: FileToVerify): Promise<VerifiedFile> {
  const { path, announcedChecksum, signal, disk = systemDisk } = file;
  const algorithms = algorithmsFor(announcedChecksum);
  return judgeFile(await readFacts({ path, algorithms, chunkBytes: realChunkBytes, signal, disk }), file);
}

/** The digests by which a file is judged; SHA-256 always is one of them. */
export function algorithmsFor(announcedChecksum: string | null): string[] {
  const checksum = announcedChecksum === null ? null : decodeChecksum(announcedChecksum);
  return [...new Set(['sha256', checksum?.algorithm ?? 'sha256'])];
}

/**
 * Judges what was read of a file, by `algorithmsFor` its checksum.
 * @throws AppError `transfer.size-mismatch`, `transfer.checksum-mismatch`, `transfer.wrong-content`
 */
export function judgeFile(facts: FileFacts, file: AnnouncedFile): VerifiedFile {
  const { announcedBytes, announcedChecksum, totalBytes, expected } = file;
  const { sizeBytes, digests, head } = facts;
  const expectedBytes = announcedBytes ?? totalBytes;
  if (expectedBytes !== null && sizeBytes !== expectedBytes) {
    throw sizeMismatch('file', { expectedBytes, actualBytes: sizeBytes });
  }
  const digest = encodeSha256(digests['sha256'] ?? '');
  const checksum = announcedChecksum === null ? null : decodeChecksum(announcedChecksum);
  if (checksum !== null) {
    compareDigests(checksum, digests[checksum.algorithm] ?? '');
    return { verification: 'checksum', digest, sizeBytes };
  }
  const reason = sizeBytes === 0 ? findEmpty(announcedBytes) : findWrongContent(head, expected);
  if (reason !== null) {
    throw new AppError('transfer.wrong-content', `The file is ${reason}`, { details: { reason } });
  }
  return { verification: announcedBytes === null ? 'none' : 'size-only', digest, sizeBytes };
}

/** What a file, or a source, is by its size not. `isLeast`: it has more, and nobody looked how much. */
export function sizeMismatch(
  what: 'file' | 'source',
  details: { expectedBytes: number; actualBytes: number; isLeast?: boolean },
): AppError {
  const least = details.isLeast === true ? 'at least ' : '';
  const sizes = `${least}${String(details.actualBytes)} bytes instead of ${String(details.expectedBytes)}`;
  return new AppError('transfer.size-mismatch', `The ${what} has another size than announced: ${sizes}`, {
    details,
  });
}

function compareDigests(checksum: Checksum, digestHex: string): void {
  const { algorithm, digestHex: expected } = checksum;
  const actual = digestHex.slice(0, expected.length);
  if (actual === expected) return;
  const differ = `${algorithm} ${actual} instead of ${expected}`;
  throw new AppError(
    'transfer.checksum-mismatch',
    `The file has another checksum than announced: ${differ}`,
    {
      details: { algorithm, expected, actual },
    },
  );
}

function findEmpty(announcedBytes: number | null): string | null {
  return announcedBytes === 0 ? null : 'empty';
}

/** What a file is, read piece by piece on this thread. @throws AppError `transfer.*`, `cancelled` */
export async function readFacts(options: {
  path: string;
  algorithms: readonly string[];
  chunkBytes: number;
  signal: AbortSignal;
  disk: Disk;
  /** False where nobody asks for the CRC-32 of its chunks. */
  hasCrcs?: boolean;
}): Promise<FileFacts> {
  const { path, algorithms, chunkBytes, signal, disk, hasCrcs = true } = options;
  const hash = createFileHash({ algorithms, chunkBytes, hasCrcs });
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  try {
    const file = await disk.open(path, 'read');
    try {
      const buffer = sparePieces.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
      for (;;) {
        if (signal.aborted) throw new AppError('cancelled', 'The check was stopped');
        const piece = buffer.subarray(0, await file.read(buffer, sizeBytes));
        if (piece.length === 0) break;
        if (sizeBytes === 0) head = Buffer.from(piece.subarray(0, headBytes));
        hash.take(piece);
        sizeBytes += piece.length;
        // Less than was asked for comes only at the end.
        if (piece.length < buffer.length) break;
      }
      if (sparePieces.length < mostSparePieces) sparePieces.push(buffer);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toDiskError(error, path);
  }
  return { head, sizeBytes, ...hash.result() };
}
