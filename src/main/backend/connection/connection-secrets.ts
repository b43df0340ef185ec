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

type KeptSecret = NonNullable<Awaited<ReturnType<typeof findSecretFor>>>;

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
  // In memory once found: a keychain takes a while, and each request asks. Only this program changes the store.
  const found = new Map<string, { audience: string; secret: KeptSecret }>();
  let changeCount = 0;
  const forget = (id: string): void => {
    changeCount += 1;
    found.delete(id);
  };
  const findKept = async (id: string, audience: string): Promise<KeptSecret | null> => {
    const known = found.get(id);
    if (known?.audience === audience) return known.secret;
    const before = changeCount;
    const secret = await findSecretFor(store, { id, audience });
    if (secret && changeCount === before) found.set(id, { audience, secret });
    return secret;
  };
  return {
    get keeping() {
      return store.keeping;
    },
    async find(connection) {
      const kept = await findKept(connection.id, audienceOf(connection));
      if (kept) return kept;
      const isFirst = start?.id === connection.id && audienceOf(start) === audienceOf(connection);
      const given = findInEnvironment(connection, { env, isFirst });
      return given ? { value: given, place: 'environment' } : null;
    },
    async set(connection, value) {
      const ref = { id: connection.id, audience: audienceOf(connection) };
      await keepSecretFor(store, ref, value).finally(() => forget(connection.id));
    },
    remove: (connectionId) => store.remove(connectionId).finally(() => forget(connectionId)),
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
