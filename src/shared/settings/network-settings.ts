import { z } from 'zod';

/** Protocols that a proxy may speak. */
const proxyProtocols = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/**
 * How the network is reached. The proxy's address holds no user name and no password: settings are kept in the clear.
 * `splitProxyLogin` takes them out of an address that was typed with them; they belong in the secret store.
 */
export const networkSettingsSchema = z.object({
  proxy: z.discriminatedUnion('mode', [
    /** What the system says, or HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. */
    z.object({ mode: z.literal('system'), url: z.string().nullable() }),
    z.object({
      mode: z.literal('manual'),
      url: z.string().refine(isProxyUrl, 'an http, https or socks5 address without a user name is needed'),
    }),
    z.object({ mode: z.literal('none'), url: z.string().nullable() }),
  ]),
  /** Full path of a PEM file with certificate authorities to trust beside the system's; null for none. */
  extraCaFile: z.string().min(1).nullable(),
});

/** How the network is reached. */
export type NetworkSettings = z.infer<typeof networkSettingsSchema>;

/** As the system says. */
export const defaultNetworkSettings: NetworkSettings = {
  proxy: { mode: 'system', url: null },
  extraCaFile: null,
};

/** Whether an address can be kept as that of a proxy. */
export function isProxyUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !proxyProtocols.has(url.protocol) || url.hostname === '') return false;
  return url.username === '' && url.password === '' && /^\/?$/.test(url.pathname) && url.search === '';
}

/**
 * An address as it was typed, in two: what may be kept in the settings, and `user:password` for the secret store; null
 * when nothing was typed of it, empty when it was typed empty (`@host`). An address without a scheme is taken for http.
 */
export function splitProxyLogin(typed: string): { url: string; login: string | null } {
  const trimmed = typed.trim();
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(text)) return { url: text.replace(/^(\w+:\/\/)[^/]*@/, '$1'), login: null };
  const { protocol, username, password, host } = new URL(text);
  const url = `${protocol}//${host}`;
  if (username === '' && password === '') return { url, login: /^\w+:\/\/:?@/.test(text) ? '' : null };
  return { url, login: `${decode(username)}:${decode(password)}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
