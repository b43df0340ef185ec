import type { TokenSource } from './http-client.ts';

/** For catalogs that are open to everybody. */
export const noToken: TokenSource = { accessToken: () => Promise.resolve(null) };

/** A token that somebody was given; when it is refused there is no other. */
export function fixedToken(token: string): TokenSource {
  return { accessToken: () => Promise.resolve(token) };
}
