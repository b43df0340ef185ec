import type { IncomingHttpHeaders } from 'node:http';

/** What goes wrong with one request; what is left out goes right. Times are real ones: keep them short. */
export interface Fault {
  status?: number;
  /** Put in place of the usual ones; null takes one away. */
  headers?: Record<string, string | null>;
  /** Added after all others as they are, so that a name may come twice. */
  rawHeaders?: readonly (readonly [name: string, value: string])[];
  /** Sent in place of the file. */
  body?: Buffer | string;

  /** The whole is sent whatever range was asked for. */
  ignoresRange?: boolean;
  /** The whole is sent to whoever says If-Range, whatever it names; or If-Range isn't looked at. */
  ifRange?: 'rejected' | 'ignored';
  /** Added to the start of the range in both header and bytes. */
  shiftStart?: number;
  /** No more than this many bytes of the range, honestly stated. */
  mostBytes?: number;
  /** In place of the true Content-Range; null leaves it out. */
  contentRange?: string | null;
  /** The range comes as `multipart/byteranges`. */
  isMultipart?: boolean;
  /** This many bytes too many after the range, which Content-Length counts and Content-Range doesn't. */
  extraBytes?: number;

  file?: Buffer;
  etag?: string | null;
  lastModified?: string | null;
  /** This bit of the file is another one: the first of byte `flippedByte`. */
  flippedByte?: number;
  /** Compressed, whatever was asked for. */
  encoding?: 'gzip';
  /** No length is stated: the body ends with its last chunk, or with the connection. */
  lengthBy?: 'chunks' | 'closing';

  /** Before the head. */
  delayMs?: number;
  /** No answer at all, until the client gives up. */
  isSilent?: boolean;
  bytesPerSecond?: number;
  /** After so many bytes of the body: the connection is ended, is reset, or falls silent. */
  cutAfterBytes?: number;
  resetAfterBytes?: number;
  stallAfterBytes?: number;
  /** After so many bytes of the body nothing comes until then. */
  pause?: { afterBytes: number; until: Promise<unknown> };
  /** Sent before the end of the connection, in place of the file's bytes. */
  garbage?: Buffer;
  /** Sent as they are in place of an answer, one every 20 ms; the last again and again until the client gives up. */
  raw?: readonly string[];
  /** The connection is not used again. */
  closesAfter?: boolean;
}

/** One request as it came, and how much of a body went out for it. */
export interface SeenRequest {
  method: string;
  /** As it was sent, with the query. */
  target: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Counts from 0; requests of one connection have the same. */
  connection: number;
  /** Answers on their way when it came, this one among them. */
  openAnswers: number;
  sentBytes: number;
}

/** Bytes asked for; the end is excluded, and null where all are wanted. */
export function readRange(header: string | undefined): { start: number; end: number | null } | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? '');
  if (match === null) return null;
  return { start: Number(match[1]), end: match[2] === '' ? null : Number(match[2]) + 1 };
}
