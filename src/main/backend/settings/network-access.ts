import PQueue from 'p-queue';
import { isProxyUrl, splitProxyLogin, type NetworkSettings } from '#shared/settings/network-settings.ts';
import { createNetwork, type Network } from '../http/network/network.ts';
import type { Ports, SecretStore } from '../ports.ts';
import { findSecretFor, keepSecretFor } from './bound-secrets.ts';
import type { SettingsHolder } from './settings-holder.ts';

const proxyId = 'proxy';

/** How the network is to be reached, as it was typed: the proxy's address may hold `user:password@`. */
export interface NetworkWish {
  proxy: { mode: NetworkSettings['proxy']['mode']; address: string };
  extraCaFile: string | null;
}

/** How the network is reached, as a person set it up. */
export interface NetworkAccess {
  readonly network: Network;
  /**
   * Goes by other settings. A login in the proxy's address goes to the secret store; an empty one (`http://@host:port`)
   * forgets the kept one. @throws AppError `input.invalid`
   */
  change(wish: NetworkWish): Promise<void>;
  /** Called when servers are reached by other settings; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** The proxy that stands before a server now, `host:port`; null for none. */
  proxyTo(url: string): Promise<string | null>;
}

/** Reads how the network is reached from the settings. */
export function createNetworkAccess({
  ports,
  settings,
  store,
}: {
  ports: Ports;
  settings: SettingsHolder;
  store: SecretStore;
}): NetworkAccess {
  const { clock, logger, desktop, env = {} } = ports;
  const network = createNetwork({
    settings: settings.current.network,
    env,
    clock,
    logger,
    resolveProxy: desktop.resolveProxy?.bind(desktop),
    proxyLogin: async () => {
      const { url } = settings.current.network.proxy;
      return url === null
        ? null
        : ((await findSecretFor(store, { id: proxyId, audience: url }))?.value ?? null);
    },
  });
  network.switchOff(settings.current.isWorkingOffline);
  const listeners = new Set<() => void>();
  // One after the other: the network goes by what the settings say in the end.
  const changes = new PQueue({ concurrency: 1 });

  async function change({ proxy, extraCaFile }: NetworkWish): Promise<void> {
    const { mode, address } = proxy;
    const { url, login } = splitProxyLogin(address);
    const kept = mode === 'manual' ? { mode, url } : { mode, url: isProxyUrl(url) ? url : null };
    const clean: NetworkSettings = { proxy: kept, extraCaFile };
    // What can't be used must not take a kept login's place.
    await network.check(clean);
    if (login === '') await store.remove(proxyId);
    else if (login !== null) await keepSecretFor(store, { id: proxyId, audience: url }, login);
    settings.change({ network: clean });
    await network.change(clean);
    for (const listener of [...listeners]) listener();
  }

  return {
    network,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change: (wish) => changes.add(() => change(wish)),
    async proxyTo(url) {
      // The system may fetch a script to find it.
      if (network.isOff) return null;
      const [route] = await network.routesTo(url);
      return route?.proxy ?? null;
    },
  };
}
