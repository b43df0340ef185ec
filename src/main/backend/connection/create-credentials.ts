import { AppError } from '#shared/errors/app-error.ts';
import type { Credentials } from '../http/http-client.ts';
import type { Network } from '../http/network/network.ts';
import { createOAuth2Tokens } from '../http/oauth2-token.ts';
import type { Clock, Logger } from '../ports.ts';
import { checkDraft } from './check-draft.ts';
import type { CatalogSource } from './connection-choice.ts';

type RemoteSource = Extract<CatalogSource, { kind: 'remote' }>;

interface CredentialOptions {
  network: Network;
  clock: Clock;
  logger: Logger;
  /** Whether somebody chose to let secrets cross the network readable (`SWATH_INSECURE_HTTP`). */
  isInsecureHttpAllowed: boolean;
}

/**
 * What lets us into a catalog; null for one that is open to everybody.
 * @throws AppError `input.invalid` {field, why} when a secret would cross the network readable
 */
export function createCredentials(source: RemoteSource, options: CredentialOptions): Credentials | null {
  const { baseUrl, auth, findSecret } = source;
  if (auth.kind === 'none') return null;
  const { network, clock, logger, isInsecureHttpAllowed } = options;
  // A settings file can say what the window would refuse.
  checkDraft({ baseUrl, auth, secret: null }, { isInsecureHttpAllowed });
  const { origin } = new URL(baseUrl);
  if (auth.kind === 'token') return { origin, accessToken: () => needToken(findSecret) };
  const client = { ...auth, secret: findSecret };
  return { origin, ...createOAuth2Tokens({ client, network, clock, logger, isInsecureHttpAllowed }) };
}

async function needToken(findSecret: RemoteSource['findSecret']): Promise<string> {
  const token = await findSecret();
  if (token !== null) return token;
  throw new AppError('auth.secret-missing', 'The access token of this connection is not on this computer');
}
