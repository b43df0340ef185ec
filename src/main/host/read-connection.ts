import { explainAddress, isReadableOnTheWay, normalizeAddress } from '#shared/connection/explain-address.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { createBackend } from '../backend/backend.ts';

type ConnectionChoice = NonNullable<Parameters<typeof createBackend>[0]['connection']>;

/** The options of the command line that name a catalog, as written. */
export interface ConnectionOptions {
  /** Name or id in the settings. */
  connection?: string | undefined;
  baseUrl?: string | undefined;
  token?: string | undefined;
  /** Where client credentials are exchanged for a token. */
  authUrl?: string | undefined;
  clientId?: string | undefined;
  demoItems?: number | undefined;
}

/**
 * Which catalog the options name; null when they name none. Secrets may come from SWATH_TOKEN and
 * SWATH_CLIENT_SECRET, which other users of the computer can't read in the list of processes.
 * @throws AppError `input.invalid`, `auth.secret-missing`
 */
export function readConnection(options: ConnectionOptions, env: NodeJS.ProcessEnv): ConnectionChoice | null {
  const { connection, demoItems } = options;
  if (connection !== undefined) {
    if (options.baseUrl !== undefined) throw invalid('connection', 'it and --base-url name two catalogs');
    return { kind: 'saved', nameOrId: connection };
  }
  if (options.baseUrl === undefined) {
    return demoItems === undefined ? null : { kind: 'demo', itemCount: demoItems };
  }
  const baseUrl = checkAddress('base-url', options.baseUrl);
  if (options.authUrl !== undefined || options.clientId !== undefined)
    return readClient(baseUrl, options, env);
  const token = checkSecret('token', options.token ?? env['SWATH_TOKEN'] ?? '');
  if (token !== null) refuseReadable('base-url', baseUrl, env);
  return { kind: 'remote', baseUrl, token };
}

function readClient(
  baseUrl: string,
  { authUrl = '', clientId = '' }: ConnectionOptions,
  env: NodeJS.ProcessEnv,
): ConnectionChoice {
  const tokenUrl = checkAddress('auth-url', authUrl);
  if (clientId.trim() === '') throw invalid('client-id', 'it is needed with --auth-url');
  const secret = checkSecret('client-id', env['SWATH_CLIENT_SECRET'] ?? '');
  if (secret === null) {
    throw new AppError('auth.secret-missing', "The client's secret is needed in SWATH_CLIENT_SECRET", {
      details: { kind: 'oauth2' },
    });
  }
  refuseReadable('base-url', baseUrl, env);
  refuseReadable('auth-url', tokenUrl, env);
  const auth = { kind: 'oauth2', tokenUrl, clientId: clientId.trim(), style: 'body' } as const;
  return { kind: 'client', baseUrl, auth, secret };
}

function refuseReadable(field: string, address: string, env: NodeJS.ProcessEnv): void {
  if (!isReadableOnTheWay(address) || env['SWATH_INSECURE_HTTP'] === '1') return;
  const why = 'over http anyone on the way can read the token; use https, or set SWATH_INSECURE_HTTP=1';
  throw invalid(field, why);
}

function checkAddress(field: string, text: string): string {
  const why = explainAddress(text);
  if (why !== null) throw invalid(field, why);
  return normalizeAddress(text);
}

function checkSecret(field: string, text: string): string | null {
  const secret = text.trim();
  if (/[^\x21-\x7e]/.test(secret)) throw invalid(field, 'it holds a character that no header can carry');
  return secret === '' ? null : secret;
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
