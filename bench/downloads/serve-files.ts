import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeBlock } from './served-bytes.ts';

/** How a bench's server is asked to be, as JSON on its command line. */
export interface ServedAs {
  sizeBytes: number;
  /** What each connection gives; null for all it can. */
  bytesPerSecond: number | null;
  /** Before each answer. */
  latencyMs: number;
  certificate: { key: string; cert: string } | null;
}

// One megabyte of memory, again and again, so that this process has less to do than any of those it is measured with.
const block = makeBlock();

const { sizeBytes, bytesPerSecond, latencyMs, certificate } = JSON.parse(process.argv[2] ?? '{}') as ServedAs;
const server = certificate ? https.createServer(certificate, answer) : http.createServer(answer);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`${certificate ? 'https' : 'http'}://127.0.0.1:${port}`);
});
process.stdin.on('end', () => process.exit()).resume();

function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const start = Number(asked?.[1] ?? 0);
  const end = asked?.[2] ? Math.min(Number(asked[2]) + 1, sizeBytes) : sizeBytes;
  setTimeout(() => {
    response.writeHead(asked ? 206 : 200, {
      'content-type': 'image/tiff',
      'content-length': end - start,
      'accept-ranges': 'bytes',
      etag: '"bench"',
      ...(asked ? { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` } : {}),
    });
    if (request.method === 'HEAD') response.end();
    else if (bytesPerSecond === null) send(response, start, end);
    else sendSlowly(response, { start, end, bytesPerSecond });
  }, latencyMs);
}

function pieceAt(position: number, end: number): Buffer {
  const offset = position % block.length;
  return block.subarray(offset, Math.min(block.length, offset + end - position));
}

function send(response: http.ServerResponse, start: number, end: number): void {
  let position = start;
  const go = () => {
    while (position < end) {
      const piece = pieceAt(position, end);
      position += piece.length;
      if (!response.write(piece)) {
        response.once('drain', go);
        return;
      }
    }
    response.end();
  };
  go();
}

function sendSlowly(
  response: http.ServerResponse,
  { start, end, bytesPerSecond: rate }: { start: number; end: number; bytesPerSecond: number },
): void {
  const startedMs = performance.now();
  let position = start;
  const timer = setInterval(() => {
    const allowed = Math.min(end, start + Math.floor(((performance.now() - startedMs) / 1000) * rate));
    while (position < allowed && !response.writableNeedDrain) {
      const piece = pieceAt(position, allowed);
      position += piece.length;
      response.write(piece);
    }
    if (position < end) return;
    clearInterval(timer);
    response.end();
  }, 10);
  response.once('close', () => clearInterval(timer));
}
