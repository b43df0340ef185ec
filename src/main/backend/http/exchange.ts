import type http from 'node:http';
import { finished } from 'node:stream';
import got from 'got';
import { sendBulk } from './bulk/send-bulk.ts';
import type { HttpStream } from './http-client.ts';
import type { BulkPool } from './bulk/bulk-pool.ts';
import { toNetworkError } from './network-error.ts';
import { switchedOffError, type Network } from './network/network.ts';
import { overRoutes } from './network/over-routes.ts';
import { ProxyFailure } from './network/proxy-failure.ts';
import type { Route } from './network/route.ts';
import { requestTargetOf } from './request-target.ts';

/** One request on the wire, with exactly these headers. */
export interface Exchange {
  url: string;
  method: 'GET' | 'POST' | 'HEAD';
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Ask for and undo compression. Off for transfers: their bytes are counted and hashed (downloads.md §0.4). */
  decompress: boolean;
  /** Milliseconds without any byte after which the answer is given up; null for transfers, which watch themselves. */
  idleTimeoutMs: number | null;
  signal?: AbortSignal | undefined;
  /** Absent: straight to the server. */
  network?: Network | undefined;
}

const phaseTimeouts = { lookup: 15_000, connect: 15_000, secureConnect: 15_000, response: 60_000 };

/**
 * Sends one request and resolves with the head of its answer, whatever its status.
 * @throws AppError `network.offline`, `network.timeout`, `network.tls`, `network.proxy`, `cancelled`
 */
export async function sendExchange(exchange: Exchange): Promise<HttpStream> {
  const { url, network, signal } = exchange;
  return overRoutes({ url, network, signal }, (route) =>
    isBulk(exchange) && route.bulk ? sendInBulk(route.bulk, exchange) : sendBy(route, exchange),
  );
}

function isBulk({ decompress, idleTimeoutMs, body }: Exchange): boolean {
  return !decompress && idleTimeoutMs === null && body === undefined;
}

async function sendInBulk(pool: BulkPool, exchange: Exchange): Promise<HttpStream> {
  const { url, method, headers, signal, network } = exchange;
  const controller = new AbortController();
  const stop = (error: Error) => controller.abort(error);
  const onAbort = () => stop(new DOMException('The request was cancelled', 'AbortError'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const stopFollowing = network?.onOff(() => stop(switchedOffError()));
  const end = () => {
    signal?.removeEventListener('abort', onAbort);
    stopFollowing?.();
  };
  try {
    const answer = await sendBulk(pool, {
      url,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal: controller.signal,
    });
    answer.body.once('close', end);
    return { status: answer.response.statusCode ?? 0, headers: answer.response.headers, body: answer.body };
  } catch (error) {
    end();
    throw toNetworkError(error, url);
  }
}

// got follows no redirect, retries nothing and runs no hook here: a hook that adds a token would run again for the
// target of a redirect (downloads.md §0.7).
async function sendBy(route: Route, exchange: Exchange): Promise<HttpStream> {
  const { url, signal, network } = exchange;
  const target = withoutUserInfo(url);
  const stream = got.stream(target, {
    method: exchange.method,
    headers: {
      'accept-encoding': exchange.decompress ? 'gzip, deflate, br' : 'identity',
      ...exchange.headers,
    },
    ...(exchange.body === undefined ? {} : { body: exchange.body }),
    decompress: exchange.decompress,
    http2: false,
    throwHttpErrors: false,
    followRedirect: false,
    retry: { limit: 0 },
    timeout: {
      ...phaseTimeouts,
      ...(exchange.idleTimeoutMs === null ? {} : { socket: exchange.idleTimeoutMs }),
    },
    request: requestByteForByte(url, route),
    ...(signal ? { signal } : {}),
  });
  const stopFollowing = network?.onOff(() => stream.destroy(switchedOffError()));
  // got's streams don't close when they have ended, and whoever is still followed stays in memory.
  if (stopFollowing) finished(stream, { writable: false }, stopFollowing);
  return new Promise((resolve, reject) => {
    // Stays for the stream's life: an error that nobody listens for would end the process.
    stream.on('error', (error) => reject(toNetworkError(error, url)));
    stream.once('response', (response: http.IncomingMessage) => {
      const status = response.statusCode ?? 0;
      // Only a proxy says that; through a tunnel it is known before.
      if (status === 407 && route.proxy !== null) {
        stream.destroy();
        reject(toNetworkError(new ProxyFailure(route.proxy, { status }), url));
        return;
      }
      resolve({ status, headers: response.headers, body: stream });
    });
  });
}

// User names and passwords in a URL come from outside; only `Credentials` may authenticate.
function withoutUserInfo(url: string): URL {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  return target;
}

function requestByteForByte(url: string, route: Route) {
  const path = requestTargetOf(url);
  return (target: URL, options: http.RequestOptions, onResponse?: (response: http.IncomingMessage) => void) =>
    route.request(target, path === null ? options : { ...options, path }, onResponse);
}
