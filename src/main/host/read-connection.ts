import type { ConnectionChoice } from '../backend/backend.ts';

interface ConnectionOptions {
  baseUrl?: string | undefined;
  token?: string | undefined;
}

/**
 * Which catalog the options name; the demo catalog when they name none. The token may come from SWATH_TOKEN, which
 * other users of the computer can't read in the list of processes.
 * @throws Error with a sentence for the user
 */
export function readConnection(options: ConnectionOptions, env: NodeJS.ProcessEnv): ConnectionChoice {
  const { baseUrl } = options;
  if (baseUrl === undefined) return { kind: 'demo' };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Error('--base-url needs an http or https address');
  }
  if (url.username || url.password) throw new Error('--base-url must not carry a user name or a password');
  if (url.search || url.hash) throw new Error('--base-url must not carry a query or a fragment');
  const token = (options.token ?? env['SWATH_TOKEN'])?.trim();
  if (token !== undefined && /[^\x21-\x7e]/.test(token))
    throw new Error('the token holds a character that no header can carry');
  return {
    kind: 'remote',
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: token === '' ? null : (token ?? null),
  };
}
