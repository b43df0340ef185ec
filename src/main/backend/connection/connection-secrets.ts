import type { ConnectionSettings } from '#shared/connection/connection-settings.ts';
import type { SecretStore } from '../ports.ts';
import { findSecretFor, keepSecretFor } from '../settings/bound-secrets.ts';

/** Where a secret is. */
export type SecretPlace = 'keychain' | 'session' | 'environment';
import { importEnvironment } from './import-environment.ts';

type Connection = Pick<ConnectionSettings, 'id' | 'baseUrl' | 'auth'>;

/** The access tokens and client secrets of connections. */
export interface ConnectionSecrets {
  /** Where a secret that is set now is kept. */
  readonly keeping: SecretStore['keeping'];
  /** Null when there is none, or when it was given for another server. */
  find(connection: Connection): Promise<{ value: string; place: SecretPlace } | null>;
  set(connection: Connection, value: string): Promise<void>;
  remove(connectionId: string): Promise<void>;
}

interface SecretsOptions {
  store: SecretStore;
  env: Readonly<Record<string, string | undefined>>;
  /** The catalog in use at the start: the one that secrets of the environment are meant for. */
  startId: string;
}

/**
 * Keeps each secret with the origin of the server that it was given for: whoever changes the address of a connection,
 * in the window or in the file, doesn't get it sent elsewhere.
 */
export function createConnectionSecrets({ store, env, startId }: SecretsOptions): ConnectionSecrets {
  return {
    get keeping() {
      return store.keeping;
    },
    async find(connection) {
      const kept = await findSecretFor(store, { id: connection.id, audience: audienceOf(connection) });
      if (kept) return kept;
      const given = findInEnvironment(connection, { env, isFirst: connection.id === startId });
      return given ? { value: given, place: 'environment' } : null;
    },
    async set(connection, value) {
      await keepSecretFor(store, { id: connection.id, audience: audienceOf(connection) }, value);
    },
    remove: (connectionId) => store.remove(connectionId),
  };
}

/** Who gets to see the secret: the token's catalog, or the server where client credentials are exchanged for one. */
function audienceOf({ baseUrl, auth }: Connection): string {
  return auth.kind === 'oauth2' ? `client of ${new URL(auth.tokenUrl).origin}` : new URL(baseUrl).origin;
}

function findInEnvironment(
  { auth }: Connection,
  { env, isFirst }: { env: SecretsOptions['env']; isFirst: boolean },
): string | null {
  const read = (name: string): string | null => env[name]?.trim() || null;
  if (auth.kind === 'none') return null;
  if (auth.kind === 'token') return isFirst ? read('SWATH_TOKEN') : null;
  const described = importEnvironment(env);
  const { clientId, tokenUrl } = described?.draft.auth ?? {};
  if (described?.secret && clientId === auth.clientId && tokenUrl === auth.tokenUrl) return described.secret;
  return isFirst ? read('SWATH_CLIENT_SECRET') : null;
}
