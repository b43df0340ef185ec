import type { IncomingHttpHeaders } from 'node:http';
import { serverNowMs } from '../../http/retry.ts';
import type { TransferRow } from '../queue/transfer-row.ts';

// A file may be written twice within a moment, and both keep the same date (downloads.md A16).
const leastAgeMs = 60_000;

/** What is known of a source whose bytes are given up. */
export const noSource = { totalBytes: null, etag: null, lastModified: null, sourceOrigin: null } as const;

/** Whether an ETag promises the same bytes, as If-Range needs. */
export function isStrongEtag(etag: string | null | undefined): etag is string {
  return typeof etag === 'string' && /^"[^"]*"$/.test(etag);
}

/** `Last-Modified` of an answer as it was sent; null where its age by the server's own clock proves nothing. */
export function strongDateOf(headers: IncomingHttpHeaders): string | null {
  const lastModified = headers['last-modified'];
  const ageMs = (serverNowMs(headers) ?? NaN) - Date.parse(lastModified ?? '');
  return lastModified !== undefined && ageMs >= leastAgeMs ? lastModified : null;
}

/**
 * What a source that the part file came from is to compare before it gives a range: its ETag; without one its date, where
 * no checksum would show at the end that two files were mixed. Servers of one storage may have the same file by other dates.
 */
export function ifRangeOf({
  etag,
  lastModified,
  announcedChecksum,
}: Pick<TransferRow, 'etag' | 'lastModified' | 'announcedChecksum'>): string | null {
  if (isStrongEtag(etag)) return etag;
  return announcedChecksum === null ? lastModified : null;
}
