import http from 'node:http';
import type { Readable } from 'node:stream';
import { requestTargetOf } from '../request-target.ts';
import { BulkBody } from './bulk-body.ts';
import type { BulkEnd } from './bulk-connection.ts';
import type { BulkPool, Lease } from './bulk-pool.ts';
import { HeadStream } from './head-stream.ts';
import { pageBytes } from './pages.ts';

/** A request without a body. */
export interface BulkRequest {
  url: string;
  method: 'GET' | 'POST' | 'HEAD';
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Head of an answer, and its body as it comes. */
export interface BulkAnswer {
  response: http.IncomingMessage;
  body: BulkBody | http.IncomingMessage;
}

/**
 * Sends a request over a connection that is read by the megabyte. Node's own parser reads the head; a body of stated
 * length then passes it by.
 * @throws whatever Node says, and the signal's reason
 */
export async function sendBulk(pool: BulkPool, request: BulkRequest): Promise<BulkAnswer> {
  const end = endOf(new URL(request.url));
  const lease = await leaseUnlessAborted(pool, { end, request, isFresh: false });
  try {
    return await exchange(lease, request, pool.headMs);
  } catch (error) {
    // It may have been closed just before; nobody has answered, so nothing was lost by asking again.
    if (!lease.isReused || request.signal?.aborted || !isClosed(error)) throw error;
    const fresh = await leaseUnlessAborted(pool, { end, request, isFresh: true });
    return exchange(fresh, request, pool.headMs);
  }
}

async function leaseUnlessAborted(
  pool: BulkPool,
  { end, request, isFresh }: { end: BulkEnd; request: BulkRequest; isFresh: boolean },
): Promise<Lease> {
  const { signal } = request;
  signal?.throwIfAborted();
  const leasing = pool.lease(end, { isFresh });
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      leasing.then(
        (lease) => lease.release(true),
        () => undefined,
      );
      reject(reasonOf(signal));
    };
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const lease = await Promise.race([leasing, aborted]);
    // Given back by then: the abort came between the lease and here.
    if (signal?.aborted) throw reasonOf(signal);
    return lease;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function exchange(
  lease: Lease,
  { url, method, headers, signal }: BulkRequest,
  headMs: number,
): Promise<BulkAnswer> {
  const target = new URL(url);
  const head = new HeadStream(lease.connection);
  return new Promise((resolve, reject) => {
    const sent = http.request({
      method,
      path: requestTargetOf(url) ?? `${target.pathname}${target.search}`,
      headers: { ...headers, host: target.host, connection: 'keep-alive' },
      createConnection: () => head,
    });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const succeed = () => {
      settle();
      sent.off('error', fail);
      sent.on('error', () => undefined);
    };
    const fail = (error: Error) => {
      settle();
      sent.destroy();
      lease.release(false);
      reject(error);
    };
    const onAbort = () => fail(reasonOf(signal));
    const timer = setTimeout(() => fail(timeout()), headMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    sent.on('error', fail);
    // Nobody asked for another protocol: an answer like any other that brings no file.
    sent.on('upgrade', (response) => {
      succeed();
      lease.release(false);
      resolve({ response, body: response });
    });
    sent.on('response', (response) => {
      succeed();
      response.on('error', () => undefined);
      const lengthBytes = bulkLength(method, response);
      if (lengthBytes === null) {
        response.once('close', () => lease.release(false));
        if (signal) abortWith(signal, response);
        // Not from within the parser, which has just told of the head.
        process.nextTick(() => head.passOn((error) => response.destroy(error)));
        resolve({ response, body: response });
        return;
      }
      const isReusable = sent.shouldKeepAlive;
      const body = new BulkBody(lease.connection, {
        lengthBytes,
        onEnd: (isWhole) => lease.release(isWhole && isReusable),
      });
      head.leaveTo(body, firstByteOf(response) % pageBytes);
      // Else it would be told in an error, whose stack takes longer to write than the head to read, that its body is missing.
      response.complete = true;
      sent.destroy();
      // Stays for the body's life: an error that nobody listens for would end the process.
      body.on('error', () => undefined);
      if (signal) abortWith(signal, body);
      resolve({ response, body });
    });
    sent.end();
  });
}

// Null: what Node's parser has to find the end of.
function bulkLength(method: string, response: http.IncomingMessage): number | null {
  const { statusCode = 0, headers } = response;
  const length = headers['content-length'];
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return null;
  if (headers['transfer-encoding'] !== undefined || length === undefined || !/^\d+$/.test(length))
    return null;
  const lengthBytes = Number(length);
  return lengthBytes > 0 && Number.isSafeInteger(lengthBytes) ? lengthBytes : null;
}

// Where in the file it belongs: as far from the beginning of a page as there, a disk can take it as it is.
function firstByteOf({ statusCode, headers }: http.IncomingMessage): number {
  const range = statusCode === 206 ? /^bytes (\d+)-/.exec(headers['content-range'] ?? '') : null;
  const first = Number(range?.[1] ?? 0);
  return Number.isSafeInteger(first) ? first : 0;
}

function abortWith(signal: AbortSignal, body: Readable): void {
  const onAbort = () => body.destroy(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  body.once('close', () => signal.removeEventListener('abort', onAbort));
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The request was cancelled', 'AbortError');
}

function endOf({ protocol, hostname, port }: URL): BulkEnd {
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return { isSecure, host, port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
}

function isClosed(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function timeout(): Error {
  return Object.assign(new Error('The server did not answer in time'), { code: 'ETIMEDOUT' });
}
