import { createCatalogClient } from '../catalog/create-catalog-client.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createLinkResolver } from '../links/create-link-resolver.ts';
import type { Clock, Logger } from '../ports.ts';
import type { ConnectionChoice } from './connection-choice.ts';
import type { CatalogAccess } from './connection.ts';

/** What is needed to talk to a catalog. */
export interface ConnectOptions {
  choice: ConnectionChoice;
  /** Where the demo catalog is kept. */
  dataDir: string;
  maxCatalogRequests: number;
  clock: Clock;
  logger: Logger;
  /** Stops the making of the demo catalog. */
  signal?: AbortSignal | undefined;
}

/** Everything that talks to the chosen catalog; starts the demo catalog first where that is the choice. */
export async function connectCatalog(options: ConnectOptions): Promise<CatalogAccess> {
  const { choice, clock, logger, maxCatalogRequests } = options;
  const demo = choice.kind === 'demo' ? await startDemoCatalog(choice, options) : null;
  const { baseUrl, token } = demo ?? (choice as Extract<ConnectionChoice, { kind: 'remote' }>);
  const http = createHttpClient({
    credentials: { origin: new URL(baseUrl).origin, accessToken: () => Promise.resolve(token) },
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

// Loaded only where it is the catalog: its coastlines alone are as large as the rest of the program.
async function startDemoCatalog(
  choice: Extract<ConnectionChoice, { kind: 'demo' }>,
  { dataDir, clock, signal }: ConnectOptions,
) {
  const { itemCount, seed } = choice;
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
