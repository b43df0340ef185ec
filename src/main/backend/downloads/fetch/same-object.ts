import type { PartFile } from '../file/part-file.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { findEncoding } from './find-encoding.ts';
import { openSource } from './open-source.ts';
import { readStretch } from './read-stretch.ts';
import { isProvedAtEnd, isStrongEtag } from './validators.ts';

/** What the head of an answer says of another source. */
export interface OtherSource {
  sourceOrigin: string;
  etag: string | null;
  totalBytes: number | null;
}

/**
 * Whether going on from a source in the middle of a file needs no further proof (downloads.md c.2): it is the one that
 * the bytes came from, or sizes agree and an ETag or the checksum at the end will show any difference.
 */
export function isProvedByHead(row: Readonly<TransferRow>, source: OtherSource): boolean {
  if (row.sourceOrigin === source.sourceOrigin) return true;
  if (!mayBeSame(row, source)) return false;
  if (isStrongEtag(source.etag) && source.etag === row.etag) return true;
  return isProvedAtEnd(row);
}

/** Whether sizes agree, without which no comparison is worth it. */
export function mayBeSame({ totalBytes }: Pick<TransferRow, 'totalBytes'>, source: OtherSource): boolean {
  return source.totalBytes !== null && (totalBytes === null || totalBytes === source.totalBytes);
}

const sampleBytes = 1024 * 1024;

/** Another source of a file, beside what is there of it. */
export interface ComparedSource {
  url: string;
  part: Pick<PartFile, 'prefixBytes' | 'countEqual'>;
  totalBytes: number;
}

/**
 * Compares what is on disk with another source: 1 MiB before its end, and 1 MiB at its middle (downloads.md c.2). A
 * source that doesn't answer both ranges with exactly these bytes is another one.
 * @throws AppError `network.*`, `cancelled`, and those of the part file
 */
export async function holdsSameBytes(run: TransferRun, source: ComparedSource): Promise<boolean> {
  const { prefixBytes } = source.part;
  if (prefixBytes === 0) return true;
  const middle = Math.floor(prefixBytes / 2);
  const join = Math.max(0, prefixBytes - sampleBytes);
  const starts = join === 0 ? [0] : [join, Math.min(middle, join)];
  for (const start of starts) {
    if (!(await isEqualFrom(start, { run, source }))) return false;
  }
  return true;
}

async function isEqualFrom(
  start: number,
  { run, source: { url, part, totalBytes } }: { run: TransferRun; source: ComparedSource },
): Promise<boolean> {
  const end = Math.min(start + sampleBytes, part.prefixBytes);
  const headers = { 'accept-encoding': 'identity', range: `bytes=${start}-${end - 1}` };
  const answer = await openSource(run.parts.http, { url, headers, signal: run.signal });
  const stated = answer.headers['content-range']?.trim().toLowerCase();
  const isExact = answer.status === 206 && stated === `bytes ${start}-${end - 1}/${totalBytes}`;
  if (!isExact || findEncoding(answer.headers) !== null) {
    answer.body.destroy();
    return false;
  }
  let position = start;
  for await (const piece of readStretch(run, { body: answer.body, url, wantedBytes: end - start })) {
    if ((await part.countEqual(position, piece)) < piece.length) return false;
    position += piece.length;
  }
  return true;
}
