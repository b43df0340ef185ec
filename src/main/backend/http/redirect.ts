import { AppError } from '#shared/errors/app-error.ts';
import type { HttpAnswer } from './http-client.ts';

/** One request of a chain of redirects. `headers` never hold the token: it is added per hop. */
export interface Hop {
  url: string;
  method: 'GET' | 'POST' | 'HEAD';
  headers: Record<string, string>;
  body?: string;
  /** Redirects followed so far. */
  redirects: number;
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const keptAcrossOrigins = new Set(['accept', 'content-type', 'user-agent']);

/**
 * The request that a redirect asks for, or null when the answer is none.
 * @throws AppError `link.insecure-redirect` from https to http; `http.unexpected-status` for one redirect too many or
 *   to something that isn't http
 */
export function nextHop(hop: Hop, answer: HttpAnswer): Hop | null {
  const url = redirectTarget(hop.url, answer);
  if (url === null) return null;
  if (hop.redirects >= maxRedirects) throw unusable(answer.status, 'too many redirects');
  const isSameOrigin = new URL(url).origin === new URL(hop.url).origin;
  const headers = isSameOrigin
    ? hop.headers
    : Object.fromEntries(Object.entries(hop.headers).filter(([name]) => keptAcrossOrigins.has(name)));
  const { body, ...rest } = hop;
  const moved = { ...rest, url, headers, redirects: hop.redirects + 1 };
  // Browsers also turn a POST into a GET for 301 and 302; a search sent on without its body would match everything.
  if (answer.status === 303 && hop.method !== 'HEAD') return { ...moved, method: 'GET' };
  return body === undefined ? moved : { ...moved, body };
}

/**
 * Where an answer redirects to, as an absolute URL; null when it isn't a redirect.
 * @throws AppError `link.insecure-redirect`, `http.unexpected-status`
 */
export function redirectTarget(url: string, answer: Pick<HttpAnswer, 'status' | 'headers'>): string | null {
  const { location } = answer.headers;
  if (!redirectStatuses.has(answer.status) || location === undefined) return null;
  // Node reads header bytes as Latin-1; a Location outside ASCII is UTF-8 in practice.
  const target = resolveHref(Buffer.from(location, 'latin1').toString('utf8'), url);
  if (target === null) throw unusable(answer.status, 'a redirect to something that is not http');
  if (url.toLowerCase().startsWith('https:') && !target.toLowerCase().startsWith('https:')) {
    throw new AppError('link.insecure-redirect', 'The server redirects from https to http', {
      details: { host: new URL(target).host },
    });
  }
  return target;
}

/** An http(s) href as an absolute URL, byte for byte where it already is one; null when it is something else. */
export function resolveHref(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null;
  const resolved = new URL(href, base);
  if (resolved.protocol !== 'https:' && resolved.protocol !== 'http:') return null;
  return /^https?:\/\//i.test(href) ? href : resolved.href;
}

function unusable(status: number, reason: string): AppError {
  return new AppError('http.unexpected-status', `The server answered ${status}: ${reason}`, {
    details: { status, reason },
  });
}
