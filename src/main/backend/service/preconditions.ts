import type { IncomingHttpHeaders } from 'node:http';

/** What tells one version of a file from another. */
export interface Validators {
  /** Strong, with its quotes. */
  etag: string;
  lastModified: Date;
}

/** What the conditional headers of a request come to, in the order of RFC 9110 §13.2.2. */
export function judgePreconditions(
  headers: IncomingHttpHeaders,
  validators: Validators,
): 'proceed' | 'not-modified' | 'failed' {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch !== undefined) {
    if (!listsTag(ifMatch, validators.etag, 'strong')) return 'failed';
  } else if (isOlder(headers['if-unmodified-since'], validators.lastModified)) return 'failed';
  if (ifNoneMatch !== undefined)
    return listsTag(ifNoneMatch, validators.etag, 'weak') ? 'not-modified' : 'proceed';
  const since = readDate(headers['if-modified-since']);
  return since !== null && wholeSeconds(validators.lastModified) <= since ? 'not-modified' : 'proceed';
}

/** Whether a Range header still applies: without If-Range always, else only to the very version that it names. */
export function isRangeCurrent(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const ifRange = headers['if-range'];
  if (typeof ifRange !== 'string') return true;
  const tag = ifRange.trim();
  if (/^(?:W\/)?"/.test(tag)) return tag === validators.etag;
  return readDate(tag) === wholeSeconds(validators.lastModified);
}

function listsTag(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (comparison === 'weak' && tag === `W/${etag}`));
}

function isOlder(header: string | undefined, lastModified: Date): boolean {
  const date = readDate(header);
  return date !== null && wholeSeconds(lastModified) > date;
}

function readDate(header: string | undefined): number | null {
  const epochMs = Date.parse(header ?? '');
  return Number.isNaN(epochMs) ? null : Math.floor(epochMs / 1000);
}

// Dates in headers have no fractions.
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
