import { isLoopback } from '#shared/connection/is-loopback.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { createBackend } from '../backend/backend.ts';

type ConnectionChoice = Parameters<typeof createBackend>[0]['connection'];

interface ConnectionOptions {
  baseUrl?: string | undefined;
  token?: string | undefined;
  demoItems?: number | undefined;
}

/**
 * Which catalog the options name; the demo catalog when they name none. The token may come from SWATH_TOKEN, which
 * other users of the computer can't read in the list of processes.
 * @throws AppError `input.invalid`
 */
export function readConnection(options: ConnectionOptions, env: NodeJS.ProcessEnv): ConnectionChoice {
  if (options.baseUrl === undefined) {
    return { kind: 'demo', ...(options.demoItems === undefined ? {} : { itemCount: options.demoItems }) };
  }
  const baseUrl = checkBaseUrl(options.baseUrl);
  const token = checkToken(options.token ?? env['SWATH_TOKEN'] ?? '');
  if (token !== null && isReadableOnTheWay(baseUrl) && env['SWATH_INSECURE_HTTP'] !== '1') {
    const why = 'over http anyone on the way can read the token; use https, or set SWATH_INSECURE_HTTP=1';
    throw invalid('base-url', why);
  }
  return { kind: 'remote', baseUrl, token };
}

function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalid('base-url', 'an http or https address is needed');
  }
  if (url.username || url.password) throw invalid('base-url', 'it must not carry a user name or a password');
  if (url.search || url.hash) throw invalid('base-url', 'it must not carry a query or a fragment');
  return baseUrl.replace(/\/+$/, '');
}

function checkToken(text: string): string | null {
  const token = text.trim();
  if (/[^\x21-\x7e]/.test(token)) throw invalid('token', 'it holds a character that no header can carry');
  return token === '' ? null : token;
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
