import { chunkBytes, pieceBytes } from '../file/chunk.ts';
import type { PartFile } from '../file/part-file.ts';
import type { TransferRun } from '../run/transfer-run.ts';

// Enough to find out whether other connections help.
const leastBytes = 8 * 1024 * 1024;
const leastShareBytes = 4 * 1024 * 1024;

/**
 * Where the first body of a run should end; null where it may go on to the file's end. An open body has bytes on its way
 * when other connections begin, which would bring them once more.
 */
export function firstEnd(
  { row, parts }: TransferRun,
  { part, origin }: { part: Pick<PartFile, 'prefixBytes' | 'gapEndBytes'>; origin: string },
): number | null {
  const { prefixBytes, gapEndBytes } = part;
  const totalBytes = row.totalBytes ?? row.announcedBytes ?? 0;
  const most = Math.min(parts.mostConnectionsPerFile(), parts.hosts.mostConnections(origin));
  if (most < 2 || !parts.hosts.mayUseRanges(origin)) return null;
  const endBytes = (Math.floor((prefixBytes + leastBytes) / chunkBytes) + 1) * chunkBytes;
  if (gapEndBytes !== null && gapEndBytes <= endBytes) return gapEndBytes;
  if (endBytes >= totalBytes) return null;
  // Of a small file no more than what others would bring beside it.
  const share = Math.max(leastShareBytes, (totalBytes - prefixBytes) / most);
  return Math.min(endBytes, Math.ceil((prefixBytes + share) / pieceBytes) * pieceBytes);
}
