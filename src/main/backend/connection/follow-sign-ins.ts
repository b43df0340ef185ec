import type { NetworkAccess } from '../settings/network-access.ts';
import type { Catalogs } from './catalogs.ts';

/**
 * Tells when a catalog lets its user in that didn't just before, by its id, and when the proxy may let more through
 * than before (null). Returns the way to stop.
 */
export function followSignIns(parts: {
  catalogs: Catalogs;
  access: Pick<NetworkAccess, 'onChange'>;
  onSignedIn: (connectionId: string | null) => void;
}): () => void {
  const { catalogs, access, onSignedIn } = parts;
  const online = new Set<string>();
  const stopNetwork = access.onChange(() => onSignedIn(null));
  const stopCatalogs = catalogs.onChange(() => {
    for (const { id, status } of catalogs.list()) {
      if (status?.state !== 'online') online.delete(id);
      else if (!online.has(id)) {
        online.add(id);
        onSignedIn(id);
      }
    }
  });
  return () => {
    stopNetwork();
    stopCatalogs();
  };
}
