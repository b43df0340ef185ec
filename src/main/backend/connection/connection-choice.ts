import { createHash } from 'node:crypto';
import type { ConnectionAuth } from '#shared/connection/connection-settings.ts';

/** The catalog that the command line names, which then is in use for that run. */
export type ConnectionChoice =
  | { kind: 'demo'; itemCount?: number; seed?: number }
  /** By its address, with an access token or none. */
  | { kind: 'remote'; baseUrl: string; token: string | null }
  /** By its address, with OAuth2 client credentials. */
  | { kind: 'client'; baseUrl: string; auth: Extract<ConnectionAuth, { kind: 'oauth2' }>; secret: string }
  /** By its name or id in the settings. */
  | { kind: 'saved'; nameOrId: string };

/** How a catalog is reached. */
export type CatalogSource =
  | { kind: 'demo'; itemCount?: number; seed?: number }
  | {
      kind: 'remote';
      baseUrl: string;
      auth: ConnectionAuth;
      /** The access token or the client's secret, asked for when it is needed; null when there is none. */
      findSecret: () => Promise<string | null>;
    };

/** How a choice by address is reached. */
export function toSource(choice: Exclude<ConnectionChoice, { kind: 'saved' }>): CatalogSource {
  if (choice.kind === 'demo') return choice;
  const { baseUrl } = choice;
  if (choice.kind === 'client') {
    return { kind: 'remote', baseUrl, auth: choice.auth, findSecret: () => Promise.resolve(choice.secret) };
  }
  const { token } = choice;
  const auth = { kind: token === null ? 'none' : 'token' } as const;
  return { kind: 'remote', baseUrl, auth, findSecret: () => Promise.resolve(token) };
}

/** The id of a catalog by its address: the same on every start, so that what was kept of it is found again. */
export function idOfAddress(baseUrl: string): string {
  return createHash('sha256').update(baseUrl.replace(/\/+$/, '')).digest('hex').slice(0, 16);
}
