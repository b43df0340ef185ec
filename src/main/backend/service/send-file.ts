import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AssetFile } from './asset-source.ts';
import { readByteRange, type ByteRange } from './byte-range.ts';
import { isRangeCurrent, judgePreconditions } from './preconditions.ts';

/** Why a file is not sent: 412 and 416, each with the body that its server gives errors. */
export type FileRefusal = 'precondition-failed' | 'unsatisfiable-range';

/**
 * Answers GET and HEAD for a file, whole or in part (RFC 9110 §13 and §14). What is returned was not answered yet; its
 * headers are set. Rejects when the file turns out shorter or longer than it said: then the answer must be broken off.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: AssetFile,
): Promise<FileRefusal | null> {
  response.setHeader('ETag', file.etag);
  response.setHeader('Last-Modified', file.lastModified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  const verdict = judgePreconditions(request.headers, file);
  if (verdict === 'not-modified') {
    response.writeHead(304).end();
    return null;
  }
  if (verdict === 'failed') return 'precondition-failed';

  // Range means something for GET alone (RFC 9110 §14.2).
  const isRangeAsked = request.method === 'GET' && isRangeCurrent(request.headers, file);
  const range = isRangeAsked ? readByteRange(request.headers.range, file.sizeBytes) : 'whole';
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${file.sizeBytes}`);
    return 'unsatisfiable-range';
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.sizeBytes } : range;
  if (range !== 'whole') response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${file.sizeBytes}`);
  response.setHeader('Content-Type', file.mediaType);
  response.setHeader('Content-Length', end - start);
  response.writeHead(range === 'whole' ? 200 : 206);
  if (request.method === 'HEAD') response.end();
  else await pipeline(readExactly(file, { start, end }), response);
  return null;
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
