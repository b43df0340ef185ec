import { AppError } from '#shared/errors/app-error.ts';
import { isJsonObject, isTooDeep, type JsonObject } from '#shared/stac/json.ts';
import { findLink } from '#shared/stac/link.ts';
import { resolveHref } from '../http/redirect.ts';

/** One request for a page. */
export interface PageRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  /** POST only. */
  json?: JsonObject;
}

/**
 * The request that a page's `next` link asks for, exactly as given (field notes §2.1): method (GET unless said), href
 * byte for byte, filtered headers, body, and `merge` taken literally, false unless said. Null without a next link.
 * @throws AppError `stac.invalid-response` for a link that can't be followed, `link.insecure-redirect` for one that
 *   leaves https for another host
 */
export function nextRequest(
  links: unknown,
  context: { first: PageRequest; previous: PageRequest; answerUrl: string },
): PageRequest | null {
  const link = findLink(links, 'next');
  if (link === null) return null;
  const { first, previous, answerUrl } = context;
  const method = (link.method ?? 'GET').toUpperCase();
  const resolved = resolveHref(link.href, answerUrl);
  if (resolved === null || (method !== 'GET' && method !== 'POST') || isTooDeep(link.body)) {
    const message = "The catalog's link to the next page can't be followed";
    const details = { expected: 'a link to the next page', found: 'one that cannot be followed' };
    throw new AppError('stac.invalid-response', message, { details });
  }
  const url = keepHttps(resolved, answerUrl);
  const isMerged = link.merge === true;
  const headers = {
    ...(isMerged ? linkHeaders(previous.headers) : {}),
    ...linkHeaders(link.headers),
    ...assetUrlHeaders(first, url),
  };
  if (method === 'GET') return { url, method, headers };
  const body = isJsonObject(link.body) ? link.body : {};
  return { url, method, headers, json: isMerged ? { ...previous.json, ...body } : body };
}

/** Tells requests for pages apart; the order of a body's members doesn't. */
export function requestKey({ url, method, json }: PageRequest): string {
  return `${method} ${url} ${json === undefined ? '' : canonicalJson(json)}`;
}

// Servers behind a TLS terminator write http links to themselves (field notes §2.1, "wrong path/host/scheme").
function keepHttps(url: string, answerUrl: string): string {
  const [next, answer] = [new URL(url), new URL(answerUrl)];
  if (answer.protocol === 'http:' || next.protocol === 'https:') return url;
  if (next.hostname === answer.hostname && next.port === '') return url.replace(/^http:/i, 'https:');
  throw new AppError('link.insecure-redirect', 'The link to the next page leaves https', {
    details: { host: next.host },
  });
}

const assetUrlNames = ['x-signed-asset-urls', 'x-proxy-asset-urls'];

// Which links to ask for is our choice, and another origin has no business knowing it.
function assetUrlHeaders(first: PageRequest, url: string): Record<string, string> {
  if (new URL(url).origin !== new URL(first.url).origin) return {};
  return pickHeaders(first.headers, (name) => assetUrlNames.includes(name));
}

const forbidden = new Set([
  'authorization',
  'host',
  'cookie',
  'cookie2',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'user-agent',
  ...assetUrlNames,
]);

function linkHeaders(headers: unknown): Record<string, string> {
  return pickHeaders(
    headers,
    (name) => !forbidden.has(name) && !name.startsWith('proxy-') && !name.startsWith('sec-'),
  );
}

function pickHeaders(headers: unknown, isWanted: (name: string) => boolean): Record<string, string> {
  if (!isJsonObject(headers)) return {};
  const picked = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const lowerName = name.toLowerCase();
    const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
    const isSendable = text !== null && /^[\t\x20-\x7e]*$/.test(text) && /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
    return isSendable && isWanted(lowerName) ? [[lowerName, text]] : [];
  });
  return Object.fromEntries(picked);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
