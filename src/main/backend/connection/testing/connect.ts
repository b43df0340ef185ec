import { expect, onTestFinished } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { createCatalogClient } from '../../catalog/create-catalog-client.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { RecordingServer } from '../../http/testing/recording-server.ts';
import { createLinkResolver } from '../../links/create-link-resolver.ts';
import { createLinkCalls } from '../../links/link-calls.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { createConnection, type CatalogAccess, type Connection } from '../connection.ts';

/** What a catalog answers that has none. */
export const noCollections = { collections: [] };

/** Reaches a server as a catalog, with no waits between attempts. */
export function accessTo(server: RecordingServer): CatalogAccess {
  const http = createHttpClient({
    credentials: null,
    clock: systemClock,
    logger: silentLogger,
    maxCatalogRequests: 4,
    wait: () => Promise.resolve(),
  });
  const catalog = createCatalogClient({ http, baseUrl: server.origin });
  const calls = createLinkCalls({ clock: systemClock });
  const resolveLink = createLinkResolver({ catalog, http, clock: systemClock, calls });
  const forgetRefusal = () => calls.forgetRefusal();
  return { catalog, http, resolveLink, forgetRefusal, close: () => Promise.resolve() };
}

/** A connection that ends with the test. */
export function connect(start: (signal: AbortSignal) => Promise<CatalogAccess>): Connection {
  const connection = createConnection({
    name: 'catalog.example',
    kind: 'remote',
    start,
    probe: (catalog) => catalog.collections(),
    retryDelayMs: 5,
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** Resolves when the state of a connection is the one named. */
export const becomes = (connection: Connection, state: string) =>
  eventually(() => expect(connection.status.state).toBe(state));
