import type { Network } from '../http/network/network.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import type { Catalogs } from './catalogs.ts';

/**
 * Switches the network off while somebody works offline. When it is on again, every open catalog is asked whether it is
 * there. Returns the way to stop.
 */
export function followOfflineSwitch(parts: {
  settings: SettingsHolder;
  network: Network;
  catalogs: Catalogs;
  onBack: () => void;
}): () => void {
  const { settings, network, catalogs, onBack } = parts;
  return settings.onChange(({ isWorkingOffline }) => {
    const wasOff = network.isOff;
    network.switchOff(isWorkingOffline);
    if (!wasOff || isWorkingOffline) return;
    for (const { id } of catalogs.list()) void catalogs.find(id)?.connection.retry();
    onBack();
  });
}
