import { basename } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { findWrongContent, headBytes, looksLikePage } from '../file/magic-bytes.ts';
import { decodeChecksum } from '../file/multihash.ts';
import type { TransferRow } from '../queue/transfer-row.ts';

// As long as the longest signature; what begins with less is judged when it is whole.
const leastBytes = 16;

/** Why a body that begins with these bytes can't be the file (downloads.md c.1); null when it may be. */
export function findWrongHead(
  { mediaType, filePath, announcedChecksum }: TransferRow,
  bytes: Buffer,
): AppError | null {
  if (bytes.length < leastBytes) return null;
  const head = bytes.subarray(0, headBytes);
  const reason = findWrongContent(head, { mediaType, fileName: basename(filePath ?? '') });
  // Catalogs are careless about media types: a checksum knows better what a file is, but no file is an error message.
  const isProvedLater = announcedChecksum !== null && decodeChecksum(announcedChecksum) !== null;
  if (reason === null || (isProvedLater && !looksLikePage(head))) return null;
  const isPage = /^\s*<(!doctype html|html)/i.test(head.toString('latin1'));
  return new AppError('transfer.wrong-content', `The source sends ${reason}`, {
    details: { reason, isPage },
  });
}
