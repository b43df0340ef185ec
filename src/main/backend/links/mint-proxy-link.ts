import { AppError } from '#shared/errors/app-error.ts';
import type { HttpClient, HttpStream } from '../http/http-client.ts';
import { toStatusError } from '../http/problem.ts';
import { readWhy } from '../http/read-body.ts';
import { redirectTarget } from '../http/redirect.ts';
import { isFetchable, isProxyLink, type CatalogPlace } from './link-targets.ts';

// downloads.md c, Redirect.
const maxProxyHops = 5;

/**
 * Asks the asset proxy, with the token, where the bytes are now (field notes §1.11: 307 to a pre-signed link). The
 * token stays with the proxy: the answer is a URL to be fetched without it.
 * @throws AppError `link.refused`, `link.insecure-redirect`, `stac.asset-not-found`, `auth.*`, `http.*`, `network.*`
 */
export async function mintProxyLink(options: {
  proxyUrl: string;
  http: HttpClient;
  place: CatalogPlace;
  nowMs: number;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const { http, place, nowMs, signal } = options;
  let url = options.proxyUrl;
  for (let hop = 0; hop < maxProxyHops; hop += 1) {
    const answer = await http.open({ url, auth: 'catalog', signal });
    const target = await readTarget(answer, url, nowMs);
    if (!isFetchable(target, place)) {
      throw new AppError('link.insecure-redirect', 'The asset proxy redirects to http', {
        details: { host: new URL(target).host },
      });
    }
    // A proxy may first lead to another spelling of itself.
    if (!isProxyLink(target, place)) return target;
    url = target;
  }
  throw refused('it redirects to itself', 307);
}

async function readTarget(answer: HttpStream, url: string, nowMs: number): Promise<string> {
  const { status, headers, body } = answer;
  try {
    const target = redirectTarget(url, answer);
    if (target !== null) return target;
    if (status >= 200 && status < 300) throw refused('it sends the file itself instead of a link', status);
    if (status < 400) throw refused('it redirects without saying where to', status);
    const text = await readWhy(body);
    const { code, message, retryable, ...error } = toStatusError({ status, headers, body: text }, nowMs);
    const details = { ...error.details, isOfProxy: true };
    if (status !== 404 && status !== 410) throw new AppError(code, message, { details, retryable });
    throw new AppError('stac.asset-not-found', 'The asset proxy has no such file', { details });
  } finally {
    body.destroy();
  }
}

function refused(reason: string, status: number): AppError {
  return new AppError('link.refused', `The asset proxy can't be used: ${reason}`, {
    details: { reason, status },
  });
}
