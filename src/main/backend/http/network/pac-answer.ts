import { parseProxy, type ProxyServer } from './proxy-server.ts';

const schemes: Record<string, string> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/** The ways that a PAC answer names (`PROXY host:port; DIRECT`), in their order; null is the direct one. */
export function readPacAnswer(answer: string): (ProxyServer | null)[] {
  return answer.split(';').flatMap((entry) => {
    const [kind = '', address = ''] = entry.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [null];
    const scheme = schemes[kind.toUpperCase()];
    const proxy = scheme === undefined || address === '' ? null : parseProxy(`${scheme}://${address}`);
    return proxy === null ? [] : [proxy];
  });
}
