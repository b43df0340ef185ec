import { AppError } from '#shared/errors/app-error.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { toNetworkError } from '../../http/network-error.ts';
import type { PartFile } from '../file/part-file.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import { findEncoding } from './find-encoding.ts';
import { openSource } from './open-source.ts';
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

/**
 * Compares what is on disk with another source: 1 MiB before its end, and 1 MiB at its middle (downloads.md c.2). A
 * source that doesn't answer both ranges with exactly these bytes is another one.
 * @throws AppError `network.*`, `cancelled`, and those of the part file
 */
export async function holdsSameBytes(options: {
  http: HttpClient;
  url: string;
  part: Pick<PartFile, 'prefixBytes' | 'countEqual'>;
  totalBytes: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const { prefixBytes } = options.part;
  if (prefixBytes === 0) return true;
  const middle = Math.floor(prefixBytes / 2);
  const join = Math.max(0, prefixBytes - sampleBytes);
  const starts = join === 0 ? [0] : [join, Math.min(middle, join)];
  for (const start of starts) {
    if (!(await isEqualFrom(start, options))) return false;
  }
  return true;
}

async function isEqualFrom(
  start: number,
  { http, url, part, totalBytes, signal }: Parameters<typeof holdsSameBytes>[0],
): Promise<boolean> {
  const end = Math.min(start + sampleBytes, part.prefixBytes);
  const headers = { 'accept-encoding': 'identity', range: `bytes=${start}-${end - 1}` };
  const answer = await openSource(http, { url, headers, signal });
  try {
    const stated = answer.headers['content-range']?.trim().toLowerCase();
    if (answer.status !== 206 || stated !== `bytes ${start}-${end - 1}/${totalBytes}`) return false;
    if (findEncoding(answer.headers) !== null) return false;
    let position = start;
    for await (const received of answer.body as AsyncIterable<Buffer>) {
      const chunk = received.subarray(0, end - position);
      if ((await part.countEqual(position, chunk)) < chunk.length) return false;
      position += chunk.length;
      if (position === end) return true;
    }
    throw new AppError('network.offline', 'The connection ended before the range did', {
      details: { reason: 'ENDED_EARLY' },
      retryable: true,
    });
  } catch (error) {
    throw toNetworkError(error, url);
  } finally {
    answer.body.destroy();
  }
}
