import type { ConnectionAuth } from '#shared/connection/connection-settings.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { createCatalogClient } from '../catalog/create-catalog-client.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { Credentials } from '../http/http-client.ts';
import { createLinkResolver } from '../links/create-link-resolver.ts';
import type { Clock, Logger } from '../ports.ts';
import type { CatalogSource } from './connection-choice.ts';
import type { CatalogAccess } from './connection.ts';

/** What is needed to talk to a catalog. */
export interface ConnectOptions {
  source: CatalogSource;
  /** Where the demo catalog is kept. */
  dataDir: string;
  maxCatalogRequests: number;
  clock: Clock;
  logger: Logger;
  /** Stops the making of the demo catalog. */
  signal?: AbortSignal | undefined;
}

/** Everything that talks to a catalog; starts the demo catalog first where that is the one. */
export async function connectCatalog(options: ConnectOptions): Promise<CatalogAccess> {
  const { source, clock, logger, maxCatalogRequests } = options;
  const demo = source.kind === 'demo' ? await startDemoCatalog(source, options) : null;
  const remote = demo ? toRemote(demo) : (source as RemoteSource);
  const { baseUrl } = remote;
  const http = createHttpClient({
    credentials: toCredentials(remote),
    clock,
    logger,
    maxCatalogRequests,
  });
  const catalog = createCatalogClient({ http, baseUrl, clock });
  return {
    catalog,
    http,
    resolveLink: createLinkResolver({ catalog, http, clock }),
    close: () => demo?.close() ?? Promise.resolve(),
  };
}

type RemoteSource = Extract<CatalogSource, { kind: 'remote' }>;

function toRemote({ baseUrl, token }: { baseUrl: string; token: string }): RemoteSource {
  return { kind: 'remote', baseUrl, auth: { kind: 'token' }, findSecret: () => Promise.resolve(token) };
}

function toCredentials({ baseUrl, auth, findSecret }: RemoteSource): Credentials | null {
  if (auth.kind === 'none') return null;
  const needSecret = async (): Promise<string> => {
    const secret = await findSecret();
    if (secret !== null) return secret;
    throw new AppError('auth.secret-missing', `There is no ${secretNames[auth.kind]} for this catalog`, {
      details: { kind: auth.kind },
    });
  };
  return { origin: new URL(baseUrl).origin, accessToken: needSecret };
}

const secretNames: Record<Exclude<ConnectionAuth['kind'], 'none'>, string> = {
  token: 'access token',
  oauth2: 'client secret',
};

// Loaded only where it is the catalog: its coastlines alone are as large as the rest of the program.
async function startDemoCatalog(
  { itemCount, seed }: Extract<CatalogSource, { kind: 'demo' }>,
  { dataDir, clock, signal }: ConnectOptions,
) {
  const { startDemo } = await import('../demo/start-demo.ts');
  return startDemo({
    dataDir,
    port: 0,
    clock,
    ...(signal ? { signal } : {}),
    ...(itemCount === undefined ? {} : { itemCount }),
    ...(seed === undefined ? {} : { seed }),
  });
}
