import type { Credentials, HttpAnswer, HttpRequest } from './http-client.ts';
import { maskBody } from './mask-texts.ts';
import type { Hop } from './redirect.ts';
import { untilAborted } from './until-aborted.ts';

/** Gives the requests of one call their token, and asks for another at most once when it is refused. */
export interface CallToken {
  /** The headers of a hop, with the token if, and only if, the hop leads to the catalog's origin. */
  headersFor(hop: Hop): Promise<Record<string, string>>;
  /** Whether a request that was answered 401 is worth repeating, because there is another token now. */
  renewAfter(status: number, sentHeaders: Record<string, string>): Promise<boolean>;
}

const scheme = 'Bearer ';

/** The token of one call, which may take several hops and attempts. */
export function createCallToken(credentials: Credentials | null, { auth, signal }: HttpRequest): CallToken {
  let hasRenewed = false;
  return {
    // Decided for every hop anew: the target of a redirect or of a `next` link may be another origin.
    async headersFor(hop) {
      if (!isCatalogHop(credentials, { auth, url: hop.url })) return hop.headers;
      const token = await untilAborted(credentials.accessToken(), signal);
      return token === null ? hop.headers : { ...hop.headers, authorization: `${scheme}${token}` };
    },
    async renewAfter(status, sentHeaders) {
      const refused = tokenIn(sentHeaders);
      if (status !== 401 || hasRenewed || refused === null || !credentials?.renew) return false;
      hasRenewed = true;
      const renewed = await untilAborted(credentials.renew(refused), signal);
      return renewed !== null && renewed !== refused;
    },
  };
}

/** Whether a request goes to the catalog itself, so that it may carry the token. */
export function isCatalogHop(
  credentials: Credentials | null,
  { auth, url }: Pick<HttpRequest, 'auth' | 'url'>,
): credentials is Credentials {
  return auth === 'catalog' && credentials !== null && new URL(url).origin === credentials.origin;
}

// A shorter one, such as `test`, may well be a word of the catalog's own.
const leastUnmistakableLength = 16;

/**
 * A body without the token that it was asked for with, as it was sent or encoded. Servers quote a refused one in their
 * errors, which are shown, logged and kept; and one that puts a good one into an item would have it in the library, in
 * the files beside a download and, as a link, at another origin.
 */
export function withoutToken(
  { status, body }: Pick<HttpAnswer, 'status' | 'body'>,
  sentHeaders: Record<string, string>,
): Buffer {
  const token = tokenIn(sentHeaders);
  if (token === null || (status < 400 && token.length < leastUnmistakableLength)) return body;
  return maskBody(body, [token]);
}

function tokenIn({ authorization }: Record<string, string>): string | null {
  return authorization?.slice(scheme.length) ?? null;
}
