import { isLoopback } from '#shared/connection/is-loopback.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../ports.ts';
import type { TokenSource } from './http-client.ts';
import type { Network } from './network/network.ts';
import { requestToken, type ClientStyle } from './request-token.ts';

/** A client of an OAuth2 token address (client credentials, RFC 6749 §4.4). */
export interface OAuth2Client {
  /** https; http only on this computer, or where `isInsecureHttpAllowed`. */
  tokenUrl: string;
  clientId: string;
  style: ClientStyle;
  /** The secret, asked for before each token request and not kept; null when it isn't to be had. */
  secret(): Promise<string | null>;
}

interface OAuth2Options {
  client: OAuth2Client;
  /** The way to the token address; straight there without one. */
  network?: Network | undefined;
  clock: Clock;
  logger: Logger;
  /** Whether somebody chose to let secrets cross the network readable (`SWATH_INSECURE_HTTP`). */
  isInsecureHttpAllowed?: boolean;
}

/** A token is renewed when less than this, or a tenth of its life, is left. */
const maxMarginMs = 60_000;
/** A token that was renewed and is refused again so soon isn't the reason for the refusal. */
const minApartMs = 60_000;

/**
 * Tokens from an OAuth2 token address: fetched when first needed, kept in memory, renewed before they end, and when the
 * catalog refuses one. However many ask at once, there is one request for a token. While a token is still valid, a
 * token address that is out of order does no harm.
 * @throws AppError `input.invalid` {field: 'tokenUrl'} when the address is not one that a secret may be sent to. Its
 *   calls throw `auth.client-refused` {reason, host, status}, `auth.secret-missing`, `network.*` and `http.*` {host}
 */
export function createOAuth2Tokens(options: OAuth2Options): TokenSource {
  checkTokenUrl(options.client.tokenUrl, { isInsecureHttpAllowed: options.isInsecureHttpAllowed ?? false });
  const tokens = new OAuth2Tokens(options);
  return { accessToken: () => tokens.accessToken(), renew: (refused) => tokens.renew(refused) };
}

/**
 * Makes sure that a secret may be sent to an address.
 * @throws AppError `input.invalid` {field: 'tokenUrl', why}
 */
export function checkTokenUrl(tokenUrl: string, options: { isInsecureHttpAllowed: boolean }): void {
  const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw invalid('it is not an https address');
  if (url.username || url.password) throw invalid('it must not carry a user name or a password');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !options.isInsecureHttpAllowed) {
    throw invalid('over http anyone on the way could read the secret; use https');
  }
}

interface KeptToken {
  token: string;
  fetchedAtMs: number;
  renewAtMs: number;
  endsAtMs: number;
  /** Whether it came in place of one that the catalog refused. */
  isReplacement: boolean;
}

class OAuth2Tokens {
  readonly #options: OAuth2Options;
  #kept: KeptToken | null = null;
  #onItsWay: Promise<string> | null = null;

  constructor(options: OAuth2Options) {
    this.#options = options;
  }

  async accessToken(): Promise<string> {
    const kept = this.#kept;
    if (kept && this.#now() < kept.renewAtMs) return kept.token;
    try {
      return await this.#fetch({ isReplacement: false });
    } catch (error) {
      if (kept && kept === this.#kept && this.#now() < kept.endsAtMs) return kept.token;
      throw error;
    }
  }

  async renew(refusedToken: string): Promise<string | null> {
    if (this.#onItsWay) return this.#onItsWay;
    const kept = this.#kept;
    // Somebody else's 401 has renewed it meanwhile.
    if (kept && kept.token !== refusedToken && this.#now() < kept.endsAtMs) return kept.token;
    if (kept?.isReplacement && Math.abs(this.#now() - kept.fetchedAtMs) < minApartMs) return null;
    return this.#fetch({ isReplacement: true });
  }

  #fetch({ isReplacement }: { isReplacement: boolean }): Promise<string> {
    this.#onItsWay ??= this.#request(isReplacement).finally(() => {
      this.#onItsWay = null;
    });
    return this.#onItsWay;
  }

  async #request(isReplacement: boolean): Promise<string> {
    const { client, clock, logger, network } = this.#options;
    const { tokenUrl, clientId, style } = client;
    const secret = await client.secret();
    if (secret === null || secret === '') {
      throw new AppError('auth.secret-missing', 'The secret of this connection is not on this computer');
    }
    // The life is counted from before the request: the answer may have been long on its way.
    const fetchedAtMs = this.#now();
    const { token, livesMs } = await requestToken({ tokenUrl, clientId, secret, style, clock, network });
    const marginMs = Math.min(maxMarginMs, livesMs / 10);
    const endsAtMs = fetchedAtMs + livesMs;
    this.#kept = { token, fetchedAtMs, renewAtMs: endsAtMs - marginMs, endsAtMs, isReplacement };
    logger.info('auth.token', { host: new URL(tokenUrl).host, lifeSeconds: livesMs / 1000, isReplacement });
    return token;
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

function invalid(why: string): AppError {
  return new AppError('input.invalid', `The token address can't be used: ${why}`, {
    details: { field: 'tokenUrl', why },
  });
}
