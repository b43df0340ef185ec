import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorDetails } from '#shared/errors/app-error.ts';
import { retryAfterMs } from '../../http/retry.ts';
import { isBinaryExpected, type ExpectedFile } from '../file/magic-bytes.ts';
import { findEncoding } from './find-encoding.ts';
import { isOtherDate, isOtherEtag, isStrongEtag, namesObject, type Validators } from './validators.ts';

/** What was asked for, and what is known of the file. */
export interface Expectation {
  /** First byte of the range asked for; null when the whole was. */
  rangeStart: number | null;
  /** What the request named in If-Range. */
  ifRange: string | null;
  /** Size of the whole, as far as known. */
  totalBytes: number | null;
  /** Bytes of the part file. */
  partBytes: number;
  /** Those of the part file's bytes; null where none came from this very source. */
  validators: Validators | null;
  /** Whether a checksum will show that two objects were mixed. */
  isProvedAtEnd?: boolean;
  file: ExpectedFile;
  nowMs: number;
}

/** What an answer means for the transfer (downloads.md c.1–c.3). Only `write` lets bytes through. */
export type Verdict =
  | {
      kind: 'write';
      startBytes: number;
      endBytes: number | null;
      totalBytes: number | null;
      /** The whole of another object than what is there is of. */
      isAnew?: true;
      /** What has happened to the source where the bytes differ from those that are there; they may well be the same. */
      changeIfOther?: AppError;
    }
  /** The part file already holds everything. */
  | { kind: 'complete'; totalBytes: number }
  /** The source has other bytes now: begin again. */
  | { kind: 'changed'; error: AppError }
  /** Range and If-Range don't go together here; ask once more without If-Range. */
  | { kind: 'without-if-range' }
  /** The answer is about another range; nothing of it may be written. */
  | { kind: 'wrong-range'; error: AppError }
  /** This link doesn't lead to the file; another may. */
  | { kind: 'refused'; error: AppError }
  /** An answer that is none: asked again so many times, then as `refused`. */
  | { kind: 'useless'; error: AppError; mostTries: number }
  /** The server can't now; `details.retryAfterMs` is its own wish. */
  | { kind: 'busy'; error: AppError };

/** Judges the head of an answer before one byte is written. */
export function judgeResponse(
  answer: { status: number; headers: IncomingHttpHeaders },
  expected: Expectation,
): Verdict {
  const { status, headers } = answer;
  if (status === 416) return judgeUnsatisfiable(headers, expected);
  if (status !== 200 && status !== 206) return judgeFailure(status, headers, expected);
  const wrongContent = findWrongHeaders(headers, expected);
  if (wrongContent !== null) return { kind: 'refused', error: wrongContent };
  return status === 206 ? judgePart(headers, expected) : judgeWhole(headers, expected, readLength(headers));
}

/** Whether a refusal may say why in its body. S3 answers 301 without a Location for a bucket of another region. */
export function saysWhy({ status, headers }: { status: number; headers: IncomingHttpHeaders }): boolean {
  return (status >= 400 && status < 500) || (status === 301 && headers.location === undefined);
}

function judgeFailure(status: number, headers: IncomingHttpHeaders, expected: Expectation): Verdict {
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers, expected.nowMs);
    const details = waitMs === null ? { status } : { status, retryAfterMs: waitMs };
    return {
      kind: 'busy',
      error: new AppError('http.too-many-requests', 'The server asks to wait', { details, retryable: true }),
    };
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      kind: 'refused',
      error: new AppError('link.refused', 'The storage refused the link', { details: { status } }),
    };
  }
  if (isNoRefusal(status)) return useless(`The storage answered ${status}`, { status }, 1);
  // What isn't there, or can't be served this way, may be elsewhere; the rest passes.
  const isElsewhere = (status < 500 && status !== 408) || status === 501;
  const error = new AppError('http.unexpected-status', `The storage answered ${status}`, {
    details: { status },
    retryable: !isElsewhere,
  });
  return isElsewhere ? { kind: 'refused', error } : { kind: 'busy', error };
}

/** Whether a status is neither a file nor an error. S3 says 301 where a bucket is elsewhere. */
export function isNoRefusal(status: number): boolean {
  return status < 400 && status !== 301;
}

function judgeUnsatisfiable(headers: IncomingHttpHeaders, expected: Expectation): Verdict {
  const { rangeStart, partBytes, totalBytes } = expected;
  const announced = /^bytes \*\/(\d+)$/i.exec(headers['content-range'] ?? '')?.[1];
  const size = Number.isSafeInteger(Number(announced)) ? Number(announced) : totalBytes;
  if (rangeStart === null)
    return useless('The storage answered 416 though no range was asked for', { status: 416 }, 3);
  if (size === partBytes && size === totalBytes) return { kind: 'complete', totalBytes: size };
  // What was asked for is there, even by what the answer says itself: every range begins before the end of what came.
  if (size === null || (size === (totalBytes ?? size) && partBytes <= size)) return wrongRange(headers);
  return changed('The source has fewer bytes than before', { expectedBytes: totalBytes, actualBytes: size });
}

function judgePart(headers: IncomingHttpHeaders, expected: Expectation): Verdict {
  const { rangeStart, totalBytes: known, partBytes } = expected;
  const range = readContentRange(headers);
  if (isEmptyRangeAt(partBytes, headers) && partBytes === known) {
    return { kind: 'complete', totalBytes: partBytes };
  }
  if (rangeStart === null) return judgeUnasked(headers, expected, range);
  if (range === null || range.startBytes > rangeStart) return wrongRange(headers);
  const { startBytes, endBytes, totalBytes } = range;
  const otherObject = findOtherObject(headers, expected, totalBytes);
  if (otherObject !== null) return otherObject;
  if (hasOtherDate(headers, expected)) return changed('The source has another date than before');
  if (!isProved(headers, expected, range)) return wrongRange(headers);
  return { kind: 'write', startBytes, endBytes, totalBytes: totalBytes ?? known };
}

// Where nobody knows the size, a server that keeps what it got before a connection broke says that the file ends there.
function isProved(
  headers: IncomingHttpHeaders,
  { validators, isProvedAtEnd = false, totalBytes: known, partBytes }: Expectation,
  { startBytes, totalBytes }: ContentRange,
): boolean {
  if (known === null && totalBytes === partBytes) return false;
  // A body from the first byte on is held against all that is there.
  return startBytes === 0 || isProvedAtEnd || validators === null || namesObject(validators, headers);
}

function hasOtherDate(headers: IncomingHttpHeaders, { validators }: Expectation): boolean {
  return validators !== null && isOtherDate(validators, headers);
}

// A range that nobody asked for may be the whole by another name.
function judgeUnasked(
  headers: IncomingHttpHeaders,
  expected: Expectation,
  range: ContentRange | null,
): Verdict {
  const isAll = range?.startBytes === 0 && range.endBytes === (range.totalBytes ?? expected.totalBytes);
  return isAll ? judgeWhole(headers, expected, range.endBytes) : wrongRange(headers);
}

function findOtherObject(
  headers: IncomingHttpHeaders,
  { totalBytes: known, partBytes, validators }: Expectation,
  totalBytes: number | null,
): Extract<Verdict, { kind: 'changed' }> | null {
  const isOtherSize = totalBytes !== null && (known === null ? totalBytes < partBytes : totalBytes !== known);
  if (isOtherSize) {
    const details = { expectedBytes: known, actualBytes: totalBytes };
    return changed('The source has another size than before', details);
  }
  const isOther = validators !== null && isOtherEtag(validators, headers);
  return isOther ? changed('The source has another ETag than before') : null;
}

interface ContentRange {
  startBytes: number;
  /** Excluded. */
  endBytes: number;
  totalBytes: number | null;
}

// No file is larger, and the queue couldn't note it.
function isPossible(endBytes: number, totalBytes: number | null): boolean {
  return Number.isSafeInteger(endBytes) && (totalBytes === null || Number.isSafeInteger(totalBytes));
}

// Null also where it contradicts itself or Content-Length.
function readContentRange(headers: IncomingHttpHeaders): ContentRange | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(headers['content-range']?.trim() ?? '');
  if (match === null) return null;
  const [startBytes, endBytes] = [Number(match[1]), Number(match[2]) + 1];
  const totalBytes = match[3] === '*' ? null : Number(match[3]);
  const length = readLength(headers);
  const isWhatItSays = length === null || length === endBytes - startBytes;
  const isInside = endBytes > startBytes && (totalBytes === null || endBytes <= totalBytes);
  return isWhatItSays && isInside && isPossible(endBytes, totalBytes)
    ? { startBytes, endBytes, totalBytes }
    : null;
}

// Some servers say `x-y/z` with y before x = z where they mean that nothing is left.
function isEmptyRangeAt(bytes: number, headers: IncomingHttpHeaders): boolean {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(headers['content-range']?.trim() ?? '');
  const [start, end, total] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])];
  return start === bytes && total === bytes && end === bytes - 1;
}

function judgeWhole(headers: IncomingHttpHeaders, expected: Expectation, length: number | null): Verdict {
  const { rangeStart, ifRange, totalBytes: known } = expected;
  if (length === 0 && known !== 0) return useless('The storage sends nothing', { status: 200 }, 3);
  const whole = { kind: 'write', startBytes: 0, endBytes: length, totalBytes: length ?? known } as const;
  const otherObject = findOtherObject(headers, expected, length);
  if (otherObject !== null)
    return mayBeCopy(expected, length) ? { ...whole, changeIfOther: otherObject.error } : otherObject;
  // Copies of one object may differ in date, and all of it comes anyhow; but it mustn't be mixed with what is there.
  if (hasOtherDate(headers, expected)) return { ...whole, isAnew: true };
  const isDisregarded = ifRange !== null && (ifRange === headers['last-modified'] || isStrongEtag(ifRange));
  if (rangeStart !== null && isDisregarded) return { kind: 'without-if-range' };
  // The whole from its first byte: what is on disk already is compared and skipped.
  return whole;
}

// Servers of one storage may tag their copies differently. All of it comes anyhow, to be compared (downloads.md c.1).
function mayBeCopy({ isProvedAtEnd = false, totalBytes }: Expectation, length: number | null): boolean {
  return isProvedAtEnd && length !== null && length === totalBytes;
}

function findWrongHeaders(headers: IncomingHttpHeaders, expected: Expectation): AppError | null {
  const encoding = findEncoding(headers);
  if (encoding !== null) {
    return new AppError('transfer.encoded-response', 'The source sends compressed data', {
      details: { encoding: encoding.slice(0, 40) },
    });
  }
  const contentType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!isPage(contentType, expected.file)) return null;
  return new AppError('transfer.wrong-content', 'The source sends a page in place of the file', {
    details: { contentType, isPage: contentType.includes('html') },
  });
}

function isPage(contentType: string, file: ExpectedFile): boolean {
  if (contentType === 'text/html' || contentType === 'application/xhtml+xml') {
    return !/html/.test(file.mediaType ?? '') && !/\.x?html?$/i.test(file.fileName);
  }
  if (!/^(application|text)\/(.+\+)?(xml|json)$/.test(contentType)) return false;
  return isBinaryExpected(file);
}

function readLength(headers: IncomingHttpHeaders): number | null {
  const text = headers['content-length'];
  const length = text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  return Number.isSafeInteger(length) ? length : null;
}

function useless(message: string, details: ErrorDetails, mostTries: number): Verdict {
  return {
    kind: 'useless',
    error: new AppError('http.unexpected-status', message, { details, retryable: true }),
    mostTries,
  };
}

function wrongRange(headers: IncomingHttpHeaders): Verdict {
  const stated = headers['content-range'] ?? '';
  const details = { contentRange: /^[a-z]+ [\d*/-]{1,60}$/i.test(stated) ? stated : null };
  return {
    kind: 'wrong-range',
    error: new AppError('transfer.wrong-content', 'The server answered with another range', { details }),
  };
}

function changed(message: string, details: ErrorDetails = {}): Extract<Verdict, { kind: 'changed' }> {
  return { kind: 'changed', error: new AppError('transfer.source-changed', message, { details }) };
}
