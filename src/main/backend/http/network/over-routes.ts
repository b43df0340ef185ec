import { isAppError } from '#shared/errors/app-error.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Network } from './network.ts';
import { plainRoute, type Route } from './route.ts';

/**
 * Makes one attempt at a URL by the best route. A proxy that can't be reached is passed over where there is another way:
 * nothing has been sent then.
 * @throws AppError `cancelled`, and whatever the last attempt throws
 */
export async function overRoutes<Result>(
  target: { url: string; network: Network | undefined; signal: AbortSignal | undefined },
  attempt: (route: Route) => Promise<Result>,
): Promise<Result> {
  const { url, network, signal } = target;
  const routes = network ? await untilAborted(network.routesTo(url), signal) : [plainRoute];
  for (const route of routes.slice(0, -1)) {
    try {
      return await attempt(route);
    } catch (error) {
      if (!isAppError(error, 'network.proxy') || error.details['status'] !== null) throw error;
      network?.avoid(route);
    }
  }
  return attempt(routes.at(-1) ?? plainRoute);
}
