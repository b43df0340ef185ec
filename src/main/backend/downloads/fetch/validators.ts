import type { IncomingHttpHeaders } from 'node:http';
import { secretsIn } from '../../http/redact-url.ts';
import { serverNowMs } from '../../http/retry.ts';
import { decodeChecksum } from '../file/multihash.ts';
import type { TransferRow } from '../queue/transfer-row.ts';

// A file may be written twice within a moment, and both keep the same date (downloads.md A16).
const leastAgeMs = 60_000;

/** What is known of a source whose bytes are given up. */
export const noSource = {
  totalBytes: null,
  etag: null,
  lastModified: null,
  lastModifiedAgeMs: null,
  sourceOrigin: null,
} as const;

/** By what an object is known again. */
export interface Validators {
  etag: string | null;
  /** As it was sent. Another one shows another object; only an old one promises that it is the same. */
  lastModified: string | null;
  /** How old that date was when it was seen, by the server's own clock; null where that has none. */
  lastModifiedAgeMs: number | null;
}

/** Those of an object of which nothing is known. */
export const noValidators: Validators = { etag: null, lastModified: null, lastModifiedAgeMs: null };

/** Whether an ETag promises the same bytes, as If-Range needs. */
export function isStrongEtag(etag: string | null | undefined): etag is string {
  return typeof etag === 'string' && /^"[^"]*"$/.test(etag);
}

/** The date, where it is old enough to promise the same bytes. */
function strongDateOf({ lastModified, lastModifiedAgeMs }: Validators): string | null {
  return lastModifiedAgeMs !== null && lastModifiedAgeMs >= leastAgeMs ? lastModified : null;
}

/**
 * What a source that the part file came from is to compare before it gives a range: its ETag; without one its date, where
 * no checksum would show at the end that two files were mixed. Servers of one storage may have the same file by other dates.
 */
export function ifRangeOf(row: Validators & Announced): string | null {
  const validators = validatorsOf(row);
  return isStrongEtag(validators.etag) ? validators.etag : strongDateOf(validators);
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
  const { etag, lastModified, lastModifiedAgeMs } = row;
  if (!isProvedAtEnd(row)) return { etag, lastModified, lastModifiedAgeMs };
  return { ...noValidators, etag: isStrongEtag(etag) ? etag : null };
}

/** Whether an answer names another object by its ETag. A server may weaken a tag, but never makes another of it. */
export function isOtherEtag({ etag }: Validators, headers: IncomingHttpHeaders): boolean {
  return etag !== null && headers.etag !== undefined && opaqueTagOf(etag) !== opaqueTagOf(headers.etag);
}

/** Whether an answer names another object by its date. Strong ETags of both decide by themselves: copies may differ in date. */
export function isOtherDate({ etag, lastModified }: Validators, headers: IncomingHttpHeaders): boolean {
  if (isStrongEtag(etag) && isStrongEtag(headers.etag)) return false;
  const now = headers['last-modified'];
  return lastModified !== null && now !== undefined && now !== lastModified;
}

/**
 * Whether a part leaves out by what its object is known, though it must name that (RFC 9110 §15.3.7): it may come from a
 * server that has another object. The date alone may be left out where the server was asked to compare it.
 */
export function hidesObject(
  { etag, lastModified }: Validators,
  { headers, ifRange }: { headers: IncomingHttpHeaders; ifRange: string | null },
): boolean {
  const now = headers['last-modified'];
  if (etag !== null) return headers.etag === undefined && (lastModified === null || now === undefined);
  return lastModified !== null && now === undefined && ifRange === null;
}

/**
 * Whether this answer can't be mixed unseen with bytes of another object: it has the very strong validator of those that are
 * there, or a checksum will tell. Without either, equal bytes where two answers meet are all there is to compare; and ranges
 * side by side don't even meet.
 */
export function showsSameObject(row: Validators & Announced, headers: IncomingHttpHeaders): boolean {
  if (isProvedAtEnd(row)) return true;
  if (isStrongEtag(row.etag)) return headers.etag === row.etag;
  const date = strongDateOf(row);
  return date !== null && headers['last-modified'] === date;
}

/**
 * A source as an answer shows it. What the first bytes came with stays, as long as more of them come from there: an answer
 * that leaves it out says nothing against it, and a later one must not go unquestioned.
 */
export function sourceOf(
  headers: IncomingHttpHeaders,
  { row, url }: { row: Pick<TransferRow, 'sourceOrigin'> & Validators; url: string },
): Validators & { sourceOrigin: string } {
  const sourceOrigin = new URL(url).origin;
  const before = row.sourceOrigin === sourceOrigin ? row : noValidators;
  return { sourceOrigin, etag: before.etag ?? etagOf(headers, url), ...dateOf(before, headers) };
}

// It is written down, into the receipt too: one that repeats what the link is signed with is none.
function etagOf({ etag }: IncomingHttpHeaders, url: string): string | null {
  return etag === undefined || secretsIn(url).some((secret) => etag.includes(secret)) ? null : etag;
}

function dateOf(
  { lastModified, lastModifiedAgeMs }: Validators,
  headers: IncomingHttpHeaders,
): Omit<Validators, 'etag'> {
  if (lastModified !== null) return { lastModified, lastModifiedAgeMs };
  const now = headers['last-modified'];
  const ageMs = (serverNowMs(headers) ?? NaN) - Date.parse(now ?? '');
  const isDate = now !== undefined && !Number.isNaN(Date.parse(now));
  return { lastModified: isDate ? now : null, lastModifiedAgeMs: Number.isNaN(ageMs) ? null : ageMs };
}

function opaqueTagOf(etag: string): string {
  return etag.trim().replace(/^W\//i, '');
}
