import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { Verification } from '#shared/transfer/transfer.ts';
import { toDiskError } from './disk-error.ts';
import { findWrongContent, headBytes, type ExpectedFile } from './magic-bytes.ts';
import { decodeChecksum, encodeSha256, type Checksum } from './multihash.ts';

// One chunk is hashed in some two milliseconds, so that the event loop is never held long.
const chunkBytes = 1024 * 1024;

/** A file to be proved, and what is known about it. */
export interface FileToVerify {
  path: string;
  /** `file:size` and `file:checksum` as the catalog announced them. */
  announcedBytes: number | null;
  announcedChecksum: string | null;
  /** What the source said the whole is. */
  totalBytes: number | null;
  expected: ExpectedFile;
  signal: AbortSignal;
}

/** What was proved, and the bytes' digest as a multihash in hex. */
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
export async function verifyFile(options: FileToVerify): Promise<VerifiedFile> {
  const { path, announcedBytes, announcedChecksum, totalBytes, expected, signal } = options;
  const checksum = announcedChecksum === null ? null : decodeChecksum(announcedChecksum);
  const { head, sizeBytes, digestHex } = await readBack(path, {
    algorithm: checksum?.algorithm ?? 'sha256',
    signal,
  });
  const expectedBytes = announcedBytes ?? totalBytes;
  if (expectedBytes !== null && sizeBytes !== expectedBytes) {
    throw new AppError('transfer.size-mismatch', 'The file has another size than announced', {
      details: { expectedBytes, actualBytes: sizeBytes },
    });
  }
  if (checksum !== null && announcedChecksum !== null) {
    compareDigests(checksum, digestHex);
    return { verification: 'checksum', digest: announcedChecksum.trim().toLowerCase(), sizeBytes };
  }
  const reason = findWrongContent(head, expected) ?? findEmpty(sizeBytes, announcedBytes);
  if (reason !== null) {
    throw new AppError('transfer.wrong-content', `The file is ${reason}`, { details: { reason } });
  }
  const verification = announcedBytes === null ? 'none' : 'size-only';
  return { verification, digest: encodeSha256(digestHex), sizeBytes };
}

function compareDigests(checksum: Checksum, digestHex: string): void {
  const { algorithm, digestHex: expected } = checksum;
  const actual = digestHex.slice(0, expected.length);
  if (actual === expected) return;
  throw new AppError('transfer.checksum-mismatch', 'The file has another checksum than announced', {
    details: { algorithm, expected, actual },
  });
}

function findEmpty(sizeBytes: number, announcedBytes: number | null): string | null {
  return sizeBytes === 0 && announcedBytes !== 0 ? 'empty' : null;
}

async function readBack(path: string, options: { algorithm: string; signal: AbortSignal }) {
  const hash = createHash(options.algorithm);
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  try {
    const file = await open(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      for (;;) {
        if (options.signal.aborted) throw new AppError('cancelled', 'The check was stopped');
        const { bytesRead } = await file.read(buffer, 0, chunkBytes, sizeBytes);
        if (bytesRead === 0) break;
        const chunk = buffer.subarray(0, bytesRead);
        if (sizeBytes === 0) head = Buffer.from(chunk.subarray(0, headBytes));
        hash.update(chunk);
        sizeBytes += bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toDiskError(error, path);
  }
  return { head, sizeBytes, digestHex: hash.digest('hex') };
}
