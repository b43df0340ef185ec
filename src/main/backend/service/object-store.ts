import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AssetFile, AssetSource } from './asset-source.ts';
import { readByteRange, type ByteRange } from './byte-range.ts';
import type { LinkSigner } from './link-signer.ts';
import { fromObjectPath } from './object-path.ts';
import { isRangeCurrent, judgePreconditions } from './preconditions.ts';

// Longer than clients keep a connection for later, so that none is closed just as it is used again.
const idleTimeoutMs = 72_000;

/** The storage that signed links point to: behaves as S3 does towards them, errors in XML included. */
export function createObjectStore(assets: AssetSource, signer: LinkSigner): Server {
  return createServer({ keepAliveTimeout: idleTimeoutMs }, (request, response) => {
    answer(request, response, { assets, signer }).catch(() => {
      // A body that broke off must not look whole; before it began there is still an answer to give.
      if (response.headersSent) response.destroy();
      else
        sendError(request, response, {
          status: 500,
          code: 'InternalError',
          message: 'We encountered an internal error.',
        });
    });
  });
}

interface StoreError {
  status: number;
  code: string;
  message: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { assets, signer }: { assets: AssetSource; signer: LinkSigner },
): Promise<void> {
  const [path = '', queryText = ''] = (request.url ?? '').split(/\?(.*)/s);
  const refusal = judgeRequest(request, signer, { path, query: new URLSearchParams(queryText) });
  if (refusal) {
    sendError(request, response, refusal);
    return;
  }

  const asset = fromObjectPath(path);
  const file = asset && (await assets.open(asset));
  if (file) await sendFile(request, response, file);
  else sendError(request, response, noSuchKey);
}

const noSuchKey = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };

function judgeRequest(
  request: IncomingMessage,
  signer: LinkSigner,
  { path, query }: { path: string; query: URLSearchParams },
): StoreError | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = 'The specified method is not allowed against this resource.';
    return { status: 405, code: 'MethodNotAllowed', message };
  }
  if (request.headers.authorization !== undefined) {
    const message = query.has('Signature')
      ? 'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified'
      : 'Unsupported Authorization Type';
    return { status: 400, code: 'InvalidArgument', message };
  }
  switch (signer.verify(path, query)) {
    case 'valid':
      return null;
    case 'unsigned':
      return { status: 403, code: 'AccessDenied', message: 'Access Denied' };
    case 'malformed-expiry':
      return { status: 403, code: 'AccessDenied', message: 'Invalid date (should be seconds since epoch)' };
    case 'expired':
      return { status: 403, code: 'AccessDenied', message: 'Request has expired' };
    case 'wrong-signature': {
      const message = 'The request signature we calculated does not match the signature you provided.';
      return { status: 403, code: 'SignatureDoesNotMatch', message };
    }
  }
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: AssetFile): Promise<void> {
  response.setHeader('ETag', file.etag);
  response.setHeader('Last-Modified', file.lastModified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  const verdict = judgePreconditions(request.headers, file);
  if (verdict === 'not-modified') {
    response.writeHead(304).end();
    return;
  }
  if (verdict === 'failed') {
    const message = 'At least one of the pre-conditions you specified did not hold';
    sendError(request, response, { status: 412, code: 'PreconditionFailed', message });
    return;
  }

  // Range means something for GET alone (RFC 9110 §14.2).
  const isRangeAsked = request.method === 'GET' && isRangeCurrent(request.headers, file);
  const range = isRangeAsked ? readByteRange(request.headers.range, file.sizeBytes) : 'whole';
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${file.sizeBytes}`);
    const message = 'The requested range is not satisfiable';
    sendError(request, response, { status: 416, code: 'InvalidRange', message });
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.sizeBytes } : range;
  if (range !== 'whole') response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${file.sizeBytes}`);
  response.setHeader('Content-Type', file.mediaType);
  response.setHeader('Content-Length', end - start);
  response.writeHead(range === 'whole' ? 200 : 206);
  if (request.method === 'HEAD') response.end();
  else await pipeline(readExactly(file, { start, end }), response);
}

// A source that gives fewer or more bytes than announced is broken off, so that the receiver notices.
async function* readExactly(file: AssetFile, range: ByteRange): AsyncGenerator<Uint8Array> {
  let leftBytes = range.end - range.start;
  if (leftBytes === 0) return;
  for await (const chunk of file.read(range)) {
    leftBytes -= chunk.byteLength;
    if (leftBytes < 0) throw new RangeError('the source gave more bytes than it announced');
    yield chunk;
  }
  if (leftBytes > 0) throw new RangeError('the source gave fewer bytes than it announced');
}

function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: StoreError,
): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(xml) });
  response.end(request.method === 'HEAD' ? undefined : xml);
}
