import { isLoopback } from '#shared/connection/is-loopback.ts';
import { isAppError } from '#shared/errors/app-error.ts';
import type { Network } from '../http/network/network.ts';
import { probeServer } from '../http/probe-server.ts';
import type { Clock } from '../ports.ts';
import type { Catalogs } from './catalogs.ts';

/**
 * Whether a catalog's server answers, whatever it says: then there is a network. One that is switched off here, or whose
 * address isn't known, tells nothing against the network.
 */
export async function probeCatalog(
  connectionId: string,
  { catalogs, ...parts }: { catalogs: Pick<Catalogs, 'list'>; network: Network; clock: Clock },
): Promise<boolean> {
  const url = addressOf(connectionId, catalogs);
  return url === null || answers({ url, ...parts });
}

function addressOf(connectionId: string, catalogs: Pick<Catalogs, 'list'>): string | null {
  return catalogs.list().find(({ id }) => id === connectionId)?.baseUrl ?? null;
}

/** Whether a catalog that can be reached proves that there is a network: one on this computer, or without an address, doesn't. */
export function tellsOfNetwork(connectionId: string, catalogs: Pick<Catalogs, 'list'>): boolean {
  const url = addressOf(connectionId, catalogs);
  return url !== null && URL.canParse(url) && !isLoopback(new URL(url).hostname);
}

/** Whether the server of an address answers, whatever it says, or is only kept from being asked. */
export async function answers(where: { url: string; network: Network; clock: Clock }): Promise<boolean> {
  try {
    await probeServer(where);
    return true;
  } catch (error) {
    return isAppError(error, 'network.tls') || isAppError(error, 'network.switched-off');
  }
}
