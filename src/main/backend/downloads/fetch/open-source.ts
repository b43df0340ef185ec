import { AppError } from '#shared/errors/app-error.ts';
import type { HttpClient, HttpStream } from '../../http/http-client.ts';
import { redirectTarget } from '../../http/redirect.ts';
import { leadsToLogin, loginWanted } from '../../links/login-page.ts';
import { isLocalAddress } from './local-address.ts';

const maxRedirects = 5;

/** An answer of a storage. */
export interface OpenedSource extends HttpStream {
  /** The link, and where it has redirected: what these are signed with must not be written down. */
  urls: readonly string[];
}

/**
 * Opens a link's body, following redirects by hand. No request of a transfer ever carries the access token: a link
 * that needs it has been turned into one that doesn't by ResolveLink.
 * @throws AppError `network.*`, `link.insecure-redirect`, `auth.required` (a page to log in), `http.unexpected-status`,
 *   `cancelled`
 */
export async function openSource(
  http: HttpClient,
  request: { url: string; headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<OpenedSource> {
  let { url } = request;
  const urls = [url];
  for (let redirects = 0; ; redirects += 1) {
    const answer = await http.open({ ...request, url, auth: 'none' });
    let target: string | null;
    try {
      target = redirectTarget(url, answer);
      if (target !== null) refuseInwards(url, target);
      if (target !== null && leadsToLogin(request.url, target)) throw loginWanted(target);
    } catch (error) {
      answer.body.destroy();
      throw error;
    }
    if (target === null) return { ...answer, urls };
    answer.body.destroy();
    if (redirects >= maxRedirects) {
      throw new AppError('http.unexpected-status', 'The storage redirects without end', {
        details: { status: answer.status },
      });
    }
    url = target;
    urls.push(url);
  }
}

/** Whether an error says that a link redirects without end, or to where no transfer follows: another one may not. */
export function leadsAstray({ code }: AppError): boolean {
  return code === 'http.unexpected-status' || code === 'link.insecure-redirect';
}

// A server outside has no business sending us to a machine in here.
function refuseInwards(from: string, to: string): void {
  if (isLocalAddress(to) && !isLocalAddress(from)) {
    throw new AppError('link.insecure-redirect', 'The storage redirects to an address in the local network', {
      details: { host: new URL(to).host },
    });
  }
}
