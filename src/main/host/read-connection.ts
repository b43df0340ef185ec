import { AppError } from '#shared/errors/app-error.ts';
import type { ConnectionChoice } from '../backend/backend.ts';

interface ConnectionOptions {
  baseUrl?: string | undefined;
  token?: string | undefined;
}

/**
 * Which catalog the options name; the demo catalog when they name none. The token may come from SWATH_TOKEN, which
 * other users of the computer can't read in the list of processes.
 * @throws AppError `input.invalid`
 */
export function readConnection(options: ConnectionOptions, env: NodeJS.ProcessEnv): ConnectionChoice {
  const { baseUrl } = options;
  if (baseUrl === undefined) return { kind: 'demo' };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalid('base-url', 'an http or https address is needed');
  }
  if (url.username || url.password) throw invalid('base-url', 'it must not carry a user name or a password');
  if (url.search || url.hash) throw invalid('base-url', 'it must not carry a query or a fragment');
  const token = (options.token ?? env['SWATH_TOKEN'])?.trim();
  if (token !== undefined && /[^\x21-\x7e]/.test(token)) {
    throw invalid('token', 'it holds a character that no header can carry');
  }
  return { kind: 'remote', baseUrl: baseUrl.replace(/\/+$/, ''), token: token || null };
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
