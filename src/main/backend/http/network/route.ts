import http from 'node:http';
import https from 'node:https';
import { createBulkPool, type BulkPool, type BulkPoolOptions } from '../bulk/bulk-pool.ts';
import { proxyAuthorization, type ProxyServer } from './proxy-server.ts';
import { createDirectAgents, createForwardAgent, createTunnelAgents } from './route-agents.ts';

/** One way to servers. It keeps its connections for the next request. */
export interface Route {
  /** `host:port` of the proxy, or null for the direct way. */
  readonly proxy: string | null;
  /** Connections for large bodies; absent on ways through a proxy. */
  readonly bulk?: BulkPool;
  /** Sends like `http.request`; `options.path` goes out byte for byte. */
  request(
    target: URL,
    options: http.RequestOptions,
    onResponse?: (response: http.IncomingMessage) => void,
  ): http.ClientRequest;
}

/** The way that Node takes by itself. */
export const plainRoute: Route = createRouteOver(
  { plain: http.globalAgent, secure: https.globalAgent },
  null,
);

/** The way past all proxies. */
export function createDirectRoute(options?: BulkPoolOptions): Route {
  return createRouteOver(createDirectAgents(), null, options);
}

/** The way through a proxy: a tunnel, except for http URLs through an http proxy, which is asked for the whole URL. */
export function createProxyRoute(proxy: ProxyServer): Route {
  const tunnel = createRouteOver(createTunnelAgents(proxy), proxy.label);
  if (proxy.protocol === 'socks4' || proxy.protocol === 'socks5') return tunnel;
  const forward = createForwardRoute(proxy);
  return {
    proxy: proxy.label,
    request: (target, options, onResponse) =>
      (target.protocol === 'https:' ? tunnel : forward).request(target, options, onResponse),
  };
}

function createRouteOver(
  agents: { plain: http.Agent; secure: https.Agent },
  proxy: string | null,
  options?: BulkPoolOptions,
): Route {
  return {
    proxy,
    ...(proxy === null ? { bulk: createBulkPool(options) } : {}),
    request: (target, options, onResponse) =>
      target.protocol === 'https:'
        ? https.request(target, { ...options, agent: agents.secure }, onResponse)
        : http.request(target, { ...options, agent: agents.plain }, onResponse),
  };
}

function createForwardRoute(proxy: ProxyServer): Route {
  const agent = createForwardAgent(proxy);
  const authorization = proxyAuthorization(proxy);
  return {
    proxy: proxy.label,
    request(target, options, onResponse) {
      const path = `${target.protocol}//${target.host}${options.path ?? `${target.pathname}${target.search}`}`;
      const headers = {
        // got gives them as an object, always.
        ...(options.headers as http.OutgoingHttpHeaders),
        host: target.host,
        ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
      };
      const place = { protocol: 'http:', host: proxy.host, hostname: proxy.host, port: proxy.port };
      return http.request({ ...options, ...place, path, headers, agent }, onResponse);
    },
  };
}
