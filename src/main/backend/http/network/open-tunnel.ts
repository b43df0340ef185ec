import http from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { SocksClient, type SocksClientOptions } from 'socks';
import { ProxyFailure } from './proxy-failure.ts';
import { proxyAuthorization, type ProxyServer } from './proxy-server.ts';

/** How long a proxy may take to be reached, and again to reach somebody else, in milliseconds. */
const patienceMs = 15_000;

/** Where a tunnel ends. */
export interface TunnelEnd {
  host: string;
  port: number;
}

/**
 * A connection to a host through a proxy, which looks its name up itself.
 * @throws ProxyFailure
 */
export async function openTunnel(proxy: ProxyServer, end: TunnelEnd): Promise<Socket> {
  return proxy.protocol === 'http' || proxy.protocol === 'https'
    ? connectThrough(proxy, await openToProxy(proxy), end)
    : socksThrough(proxy, end);
}

/**
 * A connection to a proxy itself.
 * @throws ProxyFailure
 */
export function openToProxy(proxy: ProxyServer): Promise<Socket> {
  const { host, port } = proxy;
  const isSecure = proxy.protocol === 'https';
  const socket = isSecure
    ? tls.connect({ host, port, ...(net.isIP(host) === 0 ? { servername: host } : {}) })
    : net.connect({ host, port });
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(new ProxyFailure(proxy.label, { code: error.code ?? 'unreachable' }));
    };
    const timer = setTimeout(() => socket.destroy(timeout()), patienceMs);
    socket.once('error', fail);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function connectThrough(proxy: ProxyServer, socket: Socket, { host, port }: TunnelEnd): Promise<Socket> {
  const target = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const authorization = proxyAuthorization(proxy);
  const request = http.request({
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      'user-agent': 'Swath',
      ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
    },
    createConnection: () => socket,
  });
  return new Promise((resolve, reject) => {
    const refuse = (facts: { status: number } | { code: string }) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new ProxyFailure(proxy.label, facts));
    };
    const timer = setTimeout(() => request.destroy(timeout()), patienceMs);
    request.once('error', (error: NodeJS.ErrnoException) => refuse({ code: error.code ?? 'unreachable' }));
    // A proxy's own page is not the answer of the server: it is never read.
    request.once('response', (response) => refuse({ status: response.statusCode ?? 0 }));
    request.once('connect', (response, tunnel, head) => {
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        refuse({ status });
        return;
      }
      clearTimeout(timer);
      if (head.length > 0) tunnel.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

async function socksThrough(proxy: ProxyServer, destination: TunnelEnd): Promise<Socket> {
  const { host, port, login } = proxy;
  const options: SocksClientOptions = {
    proxy: {
      host,
      port,
      type: proxy.protocol === 'socks4' ? 4 : 5,
      ...(login === null ? {} : { userId: login.user, password: login.password }),
    },
    command: 'connect',
    destination,
    timeout: patienceMs,
  };
  // Its error isn't passed on: it holds the password.
  const { socket } = await SocksClient.createConnection(options).catch((error: unknown) => {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
    throw new ProxyFailure(proxy.label, { code: typeof code === 'string' ? code : 'refused by SOCKS' });
  });
  return socket;
}

function timeout(): Error {
  return Object.assign(new Error('The proxy took too long'), { code: 'ETIMEDOUT' });
}
