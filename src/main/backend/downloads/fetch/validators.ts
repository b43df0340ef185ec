import type { IncomingHttpHeaders } from 'node:http';
import { serverNowMs } from '../../http/retry.ts';
import { decodeChecksum } from '../file/multihash.ts';
import type { TransferRow } from '../queue/transfer-row.ts';

// A file may be written twice within a moment, and both keep the same date (downloads.md A16).
const leastAgeMs = 60_000;

/** What is known of a source whose bytes are given up. */
export const noSource = { totalBytes: null, etag: null, lastModified: null, sourceOrigin: null } as const;

/** By what an object is known again. */
export interface Validators {
  etag: string | null;
  /** Only where it proves something. */
  lastModified: string | null;
}

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
export function ifRangeOf(row: Validators & Announced): string | null {
  const { etag, lastModified } = validatorsOf(row);
  return isStrongEtag(etag) ? etag : lastModified;
}

/** What the catalog announces that proves a file once it is whole. */
export type Announced = Pick<TransferRow, 'announcedChecksum'>;

/** Whether a checksum will show at the end that two files were mixed. */
export function isProvedAtEnd({ announcedChecksum }: Announced): boolean {
  return announcedChecksum !== null && decodeChecksum(announcedChecksum) !== null;
}

/**
 * What an answer of the source that the part file came from is held against. Copies of one object may differ in what promises
 * little, a weak ETag and a date: these count only where no checksum does.
 */
export function validatorsOf(row: Validators & Announced): Validators {
  const { etag, lastModified } = row;
  if (!isProvedAtEnd(row)) return { etag, lastModified };
  return { etag: isStrongEtag(etag) ? etag : null, lastModified: null };
}

/** Whether an answer names another object by its ETag. A server may weaken a tag, but never makes another of it. */
export function isOtherEtag({ etag }: Validators, headers: IncomingHttpHeaders): boolean {
  return etag !== null && headers.etag !== undefined && opaqueTagOf(etag) !== opaqueTagOf(headers.etag);
}

/** Whether an answer names another object by its date. Where both have ETags these decide: copies may differ in date. */
export function isOtherDate({ etag, lastModified }: Validators, headers: IncomingHttpHeaders): boolean {
  if (etag !== null && headers.etag !== undefined) return false;
  const now = headers['last-modified'];
  return lastModified !== null && now !== undefined && now !== lastModified;
}

/**
 * Whether this answer can't be mixed unseen with bytes of another object: it has the very strong validator of those that are
 * there, or a checksum will tell. Without either, equal bytes where two answers meet are all there is to compare; and ranges
 * side by side don't even meet.
 */
export function showsSameObject(row: Validators & Announced, headers: IncomingHttpHeaders): boolean {
  if (isProvedAtEnd(row)) return true;
  if (isStrongEtag(row.etag)) return headers.etag === row.etag;
  return row.lastModified !== null && headers['last-modified'] === row.lastModified;
}

/**
 * A source as an answer shows it. What the first bytes came with stays, as long as more of them come from there: an answer
 * that leaves it out says nothing against it, and a later one must not go unquestioned.
 */
export function sourceOf(
  headers: IncomingHttpHeaders,
  { row, sourceOrigin }: { row: Pick<TransferRow, 'sourceOrigin'> & Validators; sourceOrigin: string },
): Validators & { sourceOrigin: string } {
  const before = row.sourceOrigin === sourceOrigin ? row : null;
  return {
    sourceOrigin,
    etag: before?.etag ?? headers.etag ?? null,
    lastModified: before?.lastModified ?? strongDateOf(headers),
  };
}

function opaqueTagOf(etag: string): string {
  return etag.trim().replace(/^W\//i, '');
}
