import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createMask } from '../../http/mask-texts.ts';
import { secretsIn } from '../../http/redact-url.ts';
import { serverNowMs } from '../../http/retry.ts';
import { decodeChecksum } from '../file/multihash.ts';
import type { OpenedSource } from './open-source.ts';
import { noValidators, type TransferRow } from '../queue/transfer-row.ts';

// A file may be written twice within a moment, and both keep the same date (downloads.md A16).
const leastAgeMs = 60_000;

/** By what an object is known again. A date that is another one shows another object; only an old one promises the same. */
export type Validators = Pick<TransferRow, keyof typeof noValidators>;

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
export function ifRangeOf(row: Parameters<typeof validatorsOf>[0]): string | null {
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
 * little, a weak ETag and a date: these count only where no checksum does. Where one does, and servers were seen to have
 * an ETag for each copy, nothing counts but that.
 */
export function validatorsOf(row: Validators & Announced & Pick<TransferRow, 'restarts'>): Validators {
  const { etag, lastModified, lastModifiedAgeMs } = row;
  if (!isProvedAtEnd(row)) return { etag, lastModified, lastModifiedAgeMs };
  return { ...noValidators, etag: isStrongEtag(etag) && row.restarts === 0 ? etag : null };
}

/** Whether an answer names another object by its ETag. A server may weaken a tag, but never makes another of it. */
export function isOtherEtag({ etag }: Validators, headers: IncomingHttpHeaders): boolean {
  return etag !== null && headers.etag !== undefined && !isSameTag(etag, headers.etag);
}

/** Whether an answer names another object by its date. Strong ETags of both decide by themselves: copies may differ in date. */
export function isOtherDate(before: Validators, headers: IncomingHttpHeaders): boolean {
  const { etag, lastModified, lastModifiedAgeMs } = before;
  if (isStrongEtag(etag) && isStrongEtag(headers.etag)) return false;
  const now = headers['last-modified'];
  if (lastModified === null || now === undefined || isSameDate(lastModified, now)) return false;
  return !(isOfAnswer(lastModifiedAgeMs) && isOfAnswer(ageMsOf(headers)));
}

// What is made anew for each answer has that moment for its date.
function isOfAnswer(ageMs: number | null): boolean {
  return ageMs !== null && Math.abs(ageMs) <= 1000;
}

/** How old the date of an answer is by its server's own clock; null where either is missing. */
function ageMsOf(headers: IncomingHttpHeaders): number | null {
  const ageMs = (serverNowMs(headers) ?? NaN) - Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(ageMs) ? null : ageMs;
}

/**
 * Whether a part says by the same means what object it is of as the answers before did. It must name its ETag (RFC 9110
 * §15.3.7). A date that it was asked to compare it may leave out; but then nothing shows that it has compared it, and that it
 * doesn't come from a server that has another object.
 */
export function namesObject(before: Validators, headers: IncomingHttpHeaders): boolean {
  const [etag, date] = [headers.etag ?? null, headers['last-modified'] ?? null];
  if (before.etag === null && before.lastModified === null) return etag === null && date === null;
  if (before.etag !== null && etag !== null)
    return isStrongEtag(etag) || before.lastModified === null || date !== null;
  return (before.etag === null ? before.lastModified : strongDateOf(before)) !== null && date !== null;
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
 * Whether this answer goes on with the object whose bytes are there, those beyond a gap too, which no overlap is compared
 * with. What a date promises it promises of one server.
 */
export function goesOnWith(
  row: Validators & Announced & Pick<TransferRow, 'sourceOrigin'>,
  { headers, sourceOrigin }: { headers: IncomingHttpHeaders; sourceOrigin: string },
): boolean {
  const isKnown = isProvedAtEnd(row) || isStrongEtag(row.etag) || row.sourceOrigin === sourceOrigin;
  return isKnown && showsSameObject(row, headers);
}

/**
 * A source as an answer shows it. Where it gives a part, what the first bytes came with stays, as long as more of them come
 * from there: an answer that leaves it out says nothing against it, and a later one must not go unquestioned.
 */
export function sourceOf(
  { headers, urls }: Pick<OpenedSource, 'headers' | 'urls'>,
  { before, url }: { before: Pick<TransferRow, 'sourceOrigin'> & Validators; url: string },
): Validators & { sourceOrigin: string } {
  const sourceOrigin = new URL(url).origin;
  const known = before.sourceOrigin === sourceOrigin ? before : noValidators;
  return { sourceOrigin, etag: known.etag ?? etagOf(headers, urls), ...dateOf(known, headers) };
}

// It is written down, into the receipt too. One that repeats what a link is signed with can still be compared.
function etagOf({ etag }: IncomingHttpHeaders, urls: readonly string[]): string | null {
  if (etag === undefined) return null;
  return createMask(urls.flatMap(secretsIn))(etag) === etag ? etag : digestTagOf(etag);
}

function dateOf(
  { lastModified, lastModifiedAgeMs }: Validators,
  headers: IncomingHttpHeaders,
): Omit<Validators, 'etag'> {
  if (lastModified !== null) return { lastModified, lastModifiedAgeMs };
  const now = headers['last-modified'] ?? '';
  if (!httpDate.test(now) || Number.isNaN(Date.parse(now))) return noDate;
  return { lastModified: now, lastModifiedAgeMs: ageMsOf(headers) };
}

const noDate = { lastModified: null, lastModifiedAgeMs: null };
// The three forms that servers write (RFC 9110 §5.6.7), and nothing beside them.
const httpDate = /^[A-Za-z]{3,9},? [\w :-]{13,24}$/;

// Never sent: weak, as what is no ETag of the server's.
function digestTagOf(etag: string): string {
  return `W/"sha256-${createHash('sha256').update(opaqueTagOf(etag)).digest('hex')}"`;
}

function isSameTag(before: string, now: string): boolean {
  return opaqueTagOf(before) === opaqueTagOf(now) || before === digestTagOf(now);
}

// Servers that stand in for each other may write it in different forms.
function isSameDate(before: string, now: string): boolean {
  return before === now || Date.parse(before) === Date.parse(now);
}

function opaqueTagOf(etag: string): string {
  return etag.trim().replace(/^W\//i, '');
}
