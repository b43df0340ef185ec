import type { Clock, Logger } from '../ports.ts';
import { createHttpClient } from './create-http-client.ts';
import type { HttpClient } from './http-client.ts';
import type { Network } from './network/network.ts';

/** A client for links that carry their own permission: it has no token to lose. */
export function createTokenlessClient(options: {
  clock: Clock;
  logger: Logger;
  network: Network;
}): HttpClient {
  const { clock, logger, network } = options;
  return createHttpClient({ credentials: null, clock, logger, network, maxCatalogRequests: 1 });
}
