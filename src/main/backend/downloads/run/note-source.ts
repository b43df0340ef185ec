import { basename } from 'node:path';
import { toDiskError } from '../file/disk-error.ts';
import { readPartNote, writePartNote, type PartNote } from '../file/part-note.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import { claimSpace } from './prepare-output.ts';
import type { TransferRun } from './transfer-run.ts';

// A file that comes in one go has no use for a note, which costs more than it.
const leastBytes = 8 * 1024 * 1024;

/** Whether a note may lie beside the part of a file: not of one that was known to be small before it was asked for. */
export function mayHaveNote(row: SizesOfFile): boolean {
  return row.announcedBytes === null || !isSmall(row);
}

type SizesOfFile = Pick<TransferRow, 'announcedBytes' | 'totalBytes'>;

function isSmall({ announcedBytes, totalBytes }: SizesOfFile): boolean {
  const sizes = [announcedBytes, totalBytes].filter((bytes) => bytes !== null);
  return sizes.length > 0 && Math.max(...sizes) < leastBytes;
}

/**
 * Notes beside the part file whose it is, once the source has said what it sends, and before its first byte is written
 * (downloads.md b.3, T3); makes sure that there is room for a size that was not known before.
 * @throws AppError `transfer.*`
 */
export async function noteSource(run: TransferRun): Promise<void> {
  const { row, parts } = run;
  const { connectionId, collectionId, itemId, assetKey, partPath, filePath, totalBytes, etag } = row;
  if (partPath === null || filePath === null) return;
  try {
    if (row.announcedBytes === null) await claimSpace(run);
    if (isSmall(row)) return;
    const note: PartNote = {
      connectionId,
      collectionId,
      itemId,
      assetKey,
      file: basename(filePath),
      bytes: totalBytes,
      checksum: row.announcedChecksum,
      etag,
      swathVersion: parts.appVersion,
    };
    const before = await readPartNote(partPath, parts.disk);
    if (JSON.stringify(before) !== JSON.stringify(note)) await writePartNote(partPath, note, parts.disk);
  } catch (error) {
    throw toDiskError(error, partPath);
  }
}
