import type { ConnectionSettings } from '#shared/connection/connection-settings.ts';
import type { SecretStore } from '../ports.ts';
import { findSecretFor, keepSecretFor } from '../settings/bound-secrets.ts';
import { importEnvironment } from './import-environment.ts';

/** Where a secret is. */
export type SecretPlace = 'keychain' | 'session' | 'environment';

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
  /** The catalog in use at the start, as it was then: secrets of the environment are meant for it and its servers. */
  start: Connection | null;
}

/**
 * Keeps each secret with the origins of the servers that it was given for: whoever changes an address of a connection,
 * in the window or in the file, gets neither it nor a token that it was exchanged for sent elsewhere.
 */
export function createConnectionSecrets({ store, env, start }: SecretsOptions): ConnectionSecrets {
  return {
    get keeping() {
      return store.keeping;
    },
    async find(connection) {
      const kept = await findSecretFor(store, { id: connection.id, audience: audienceOf(connection) });
      if (kept) return kept;
      const isFirst = start?.id === connection.id && audienceOf(start) === audienceOf(connection);
      const given = findInEnvironment(connection, { env, isFirst });
      return given ? { value: given, place: 'environment' } : null;
    },
    async set(connection, value) {
      await keepSecretFor(store, { id: connection.id, audience: audienceOf(connection) }, value);
    },
    remove: (connectionId) => store.remove(connectionId),
  };
}

/** Who gets to see the token, and before that the client's secret. */
function audienceOf({ baseUrl, auth }: Connection): string {
  const { origin } = new URL(baseUrl);
  return auth.kind === 'oauth2' ? `client of ${new URL(auth.tokenUrl).origin} for ${origin}` : origin;
}

function findInEnvironment(
  connection: Connection,
  { env, isFirst }: { env: SecretsOptions['env']; isFirst: boolean },
): string | null {
  const { auth } = connection;
  const read = (name: string): string | null => env[name]?.trim() || null;
  if (auth.kind === 'none') return null;
  if (auth.kind === 'token') return isFirst ? read('SWATH_TOKEN') : null;
  return findDescribed(connection, env) ?? (isFirst ? read('SWATH_CLIENT_SECRET') : null);
}

/** The secret of the service that the environment describes, if that is the one. */
function findDescribed({ id, baseUrl, auth }: Connection, env: SecretsOptions['env']): string | null {
  const { draft, secret = null } = importEnvironment(env) ?? {};
  const { tokenUrl, clientId } = draft?.auth ?? {};
  if (!draft?.baseUrl || !tokenUrl || auth.kind !== 'oauth2' || clientId !== auth.clientId) return null;
  const described = { id, baseUrl: draft.baseUrl, auth: { ...auth, tokenUrl } };
  return audienceOf(described) === audienceOf({ id, baseUrl, auth }) ? secret : null;
}
