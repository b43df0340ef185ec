import { BlockList, isIP } from 'node:net';
import { parseProxy, type ProxyServer } from './proxy-server.ts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY (or their small letters, which win) give a URL; null for
 * none. An address that names no proxy counts as none.
 */
export function findEnvironmentProxy(url: string, env: Environment): ProxyServer | null {
  const { protocol, hostname, port } = new URL(url);
  const named = protocol === 'https:' ? read(env, 'https_proxy') : read(env, 'http_proxy');
  const address = named ?? read(env, 'all_proxy');
  if (address === null) return null;
  const target = { hostname, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port };
  return isBypassed(target, read(env, 'no_proxy') ?? '') ? null : parseProxy(address);
}

function read(env: Environment, name: string): string | null {
  const value = env[name] ?? env[name.toUpperCase()];
  return value === undefined || value.trim() === '' ? null : value.trim();
}

/**
 * Whether NO_PROXY leaves a host out: `*`, a domain with all below it (with or without a leading dot or `*.`), an address,
 * or a range of addresses (CIDR); each with a port or without.
 */
export function isBypassed(target: { hostname: string; port: string }, noProxy: string): boolean {
  const host = plainHost(target.hostname);
  return noProxy
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .some((rule) => isMatch(rule, host, target.port));
}

function isMatch(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  // An IPv6 address has colons of its own, so its port comes after brackets.
  const [, written = rule, rulePort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(rule) ?? [];
  if (rulePort !== undefined && rulePort !== port) return false;
  const name = plainHost(written);
  if (name.includes('/')) return isInRange(host, name);
  if (isIP(name) !== 0) return isInRange(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const length = Number(bits);
  if (isIP(host) === 0 || isIP(network) === 0) return false;
  if (!/^\d+$/.test(bits) || length > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, length, family);
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
