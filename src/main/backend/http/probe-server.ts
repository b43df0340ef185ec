import type http from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../ports.ts';
import { toNetworkError } from './network-error.ts';
import type { Network } from './network/network.ts';
import { overRoutes } from './network/over-routes.ts';
import type { Route } from './network/route.ts';

/** What is seen of a server before anything is asked of it. */
export interface ServerFacts {
  status: number;
  /** From the request to the head of the answer. */
  elapsedMs: number;
  /** `host:port` of the proxy on the way; null for none. */
  proxy: string | null;
  /** Null over http. */
  tls: { protocol: string; issuer: string | null } | null;
}

const patienceMs = 20_000;

/**
 * Asks for a URL without any token and looks at the way there. The answer itself isn't read.
 * @throws AppError `network.*`, `cancelled`
 */
export async function probeServer(options: {
  url: string;
  clock: Clock;
  network?: Network | undefined;
  signal?: AbortSignal | undefined;
}): Promise<ServerFacts> {
  const { url, clock, network, signal } = options;
  return overRoutes({ url, network, signal }, async (route) => {
    const startedMs = clock.now();
    const { status, tls } = await probeBy(route, url, signal).catch((thrown: unknown) => {
      throw toNetworkError(thrown, url);
    });
    return { status, tls, elapsedMs: clock.now() - startedMs, proxy: route.proxy };
  });
}

function probeBy(
  route: Route,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Pick<ServerFacts, 'status' | 'tls'>> {
  return new Promise((resolve, reject) => {
    const options = { method: 'GET', headers: { 'user-agent': 'Swath' }, ...(signal ? { signal } : {}) };
    const request = route.request(new URL(url), options, (response) => {
      clearTimeout(timer);
      resolve({ status: response.statusCode ?? 0, tls: readTls(response) });
      response.on('error', () => undefined);
      response.destroy();
    });
    const timer = setTimeout(() => request.destroy(timeout()), patienceMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end();
  });
}

function readTls({ socket }: http.IncomingMessage): ServerFacts['tls'] {
  if (!(socket instanceof TLSSocket)) return null;
  const issuer = socket.getPeerX509Certificate()?.toLegacyObject().issuer;
  const name = issuer?.O ?? issuer?.CN ?? null;
  return {
    protocol: (socket.getProtocol() ?? 'TLS').replace('TLSv', 'TLS '),
    issuer: Array.isArray(name) ? name.join(', ') : name,
  };
}

function timeout(): Error {
  return Object.assign(new Error('The server took too long'), { code: 'ETIMEDOUT' });
}
