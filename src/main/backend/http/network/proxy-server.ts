/** A proxy and how to speak with it. `login` is a secret; `label` is what may be shown. */
export interface ProxyServer {
  protocol: 'http' | 'https' | 'socks4' | 'socks5';
  /** Without brackets. */
  host: string;
  port: number;
  login: { user: string; password: string } | null;
  /** `host:port` */
  label: string;
}

const defaultPorts = { http: 80, https: 443, socks4: 1080, socks5: 1080 };

const protocols: Record<string, ProxyServer['protocol']> = {
  'http:': 'http',
  'https:': 'https',
  'socks:': 'socks5',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
  'socks4:': 'socks4',
  'socks4a:': 'socks4',
};

/** The proxy that an address names, http unless it says otherwise; null when it names none. */
export function parseProxy(text: string): ProxyServer | null {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const protocol = protocols[url.protocol];
  if (protocol === undefined || url.hostname === '') return null;
  const port = url.port === '' ? defaultPorts[protocol] : Number(url.port);
  const login =
    url.username === '' && url.password === ''
      ? null
      : { user: decode(url.username), password: decode(url.password) };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { protocol, host, port, login, label: `${url.hostname}:${port}` };
}

/** `Proxy-Authorization` for a proxy, where it has a login. */
export function proxyAuthorization({ login }: ProxyServer): string | null {
  if (login === null) return null;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`, 'utf8').toString('base64')}`;
}

// A per cent sign that encodes nothing is a character of the password.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
