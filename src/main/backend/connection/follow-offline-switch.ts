import type { Network } from '../http/network/network.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import type { Catalogs } from './catalogs.ts';

/**
 * Switches the network off while somebody works offline, and tells of it while nothing is refused yet. When it is on
 * again, every open catalog is asked whether it is there. Returns the way to stop.
 */
export function followOfflineSwitch(parts: {
  settings: SettingsHolder;
  network: Network;
  catalogs: Catalogs;
  onSwitch: (isOffline: boolean) => void;
}): () => void {
  const { settings, network, catalogs, onSwitch } = parts;
  return settings.onChange(({ isWorkingOffline }) => {
    if (isWorkingOffline === network.isOff) return;
    if (isWorkingOffline) onSwitch(true);
    network.switchOff(isWorkingOffline);
    if (isWorkingOffline) return;
    for (const { id } of catalogs.list()) void catalogs.find(id)?.connection.retry();
    onSwitch(false);
  });
}
