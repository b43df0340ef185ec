import type { LookupFunction } from 'node:net';
import type { BulkPoolOptions } from '../../http/bulk/bulk-pool.ts';
import type { Network } from '../../http/network/network.ts';
import { createDirectRoute } from '../../http/network/route.ts';

/** Straight to the servers, but for what is told. */
export function createOddNetwork(options: BulkPoolOptions): Network {
  const route = createDirectRoute(options);
  return {
    routesTo: () => Promise.resolve([route]),
    avoid: () => undefined,
    change: () => Promise.resolve(),
    check: () => Promise.resolve(),
    isOff: false,
    switchOff: () => undefined,
    onOff: () => () => undefined,
    problem: null,
  };
}

/** Finds names as `find` says: addresses, or null where there is no such name. */
export function lookUpBy(find: (name: string) => readonly string[] | null): LookupFunction {
  return (name, _options, onFound) => {
    const addresses = find(name);
    if (addresses === null) onFound(Object.assign(new Error(name), { code: 'ENOTFOUND' }), []);
    else
      onFound(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  };
}
