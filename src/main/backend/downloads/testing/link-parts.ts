import type http from 'node:http';
import { AppError } from '#shared/errors/app-error.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { toStatusError } from '../../http/problem.ts';
import { serverNowMs } from '../../http/retry.ts';
import type { RecordedRequest, Reply } from '../../http/testing/recording-server.ts';
import type { LinkingCatalog } from '../../links/linked-items.ts';
import type { Clock } from '../../ports.ts';
import { checksumOf } from './download-harness.ts';

/** How S3 refuses, in the XML of its error responses. */
export const denied = (code: string, message: string): Reply => ({
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

/** What S3 says to a link whose time is over. */
export const expired = denied('AccessDenied', 'Request has expired');

/** What S3 says to whoever may not read. */
export const accessDenied = denied('AccessDenied', 'Access Denied');

/** What an Item says of a file: its address, and a link where there is one. */
export function announceFile(bytes: Buffer, { href, download }: { href: string; download: string | null }) {
  return {
    href,
    type: 'application/octet-stream',
    'file:size': bytes.length,
    'file:checksum': checksumOf(bytes),
    ...(download === null ? {} : { alternate: { download: { href: download } } }),
  };
}

/** A file as a storage gives it, whole or from where it is asked for. */
export interface StoredFile {
  bytes: Buffer;
  etag: string | null;
  /** Whether the connection is cut after a million bytes. */
  isCut: boolean;
}

/** Answers a request for a file as a storage does. */
export function sendFile(request: RecordedRequest, response: http.ServerResponse, file: StoredFile): void {
  const { bytes, etag } = file;
  const range = askedRange(request, file);
  const body = range === null ? bytes : bytes.subarray(range.start, range.end);
  response.writeHead(range === null ? 200 : 206, {
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ...(etag === null ? {} : { etag }),
    ...(range === null ? {} : { 'content-range': `bytes ${range.start}-${range.end - 1}/${bytes.length}` }),
  });
  if (file.isCut) response.write(body.subarray(0, 1_000_000), () => response.socket?.end());
  else response.end(body);
}

// Null: the whole, because no range was asked for or If-Range names other bytes.
function askedRange({ headers }: RecordedRequest, { bytes, etag }: StoredFile) {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  if (start === undefined || isOther) return null;
  return { start: Number(start), end: end ? Number(end) + 1 : bytes.length };
}

/** A catalog of one Item, over real HTTP, whose clock is what its answers say. */
export function catalogOver(
  client: HttpClient,
  { origin, clock }: { origin: string; clock: Clock },
): LinkingCatalog {
  let serverAheadMs: number | null = null;
  return {
    baseUrl: `${origin}/v1/stac`,
    get serverAheadMs() {
      return serverAheadMs;
    },
    async item(ref, { links } = {}) {
      const headers = { [`x-${links}-asset-urls`]: 'true' };
      const answer = await client.send({ url: `${origin}/v1/stac/item`, headers, auth: 'catalog' });
      serverAheadMs = (serverNowMs(answer.headers) ?? clock.now()) - clock.now();
      if (answer.status === 404) throw new AppError('stac.item-not-found', 'There is no such item');
      if (answer.status !== 200) throw toStatusError(answer, clock.now());
      return { ref, item: parseItem(answer.body.toString()) };
    },
  };
}

function parseItem(text: string): StacItem {
  try {
    return JSON.parse(text) as StacItem;
  } catch {
    throw new AppError('stac.invalid-response', 'The catalog sends no JSON');
  }
}
