import type { AreaReader } from '../aoi/area-reader.ts';
import type { Attention } from '../attention/attention.ts';
import type { Basemaps } from '../basemaps/basemaps.ts';
import type { ConnectionSecrets } from '../connection/connection-secrets.ts';
import type { Catalogs } from '../connection/catalogs.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { FolderAccess } from '../folders/folder-access.ts';
import type { Notebook } from '../notebook/notebook.ts';
import type { Storage } from '../upkeep/create-storage.ts';
import type { TakeOffline } from '../offline/take-offline.ts';
import type { Ports } from '../ports.ts';
import type { Rules } from '../rules/rules.ts';
import type { NetworkAccess } from '../settings/network-access.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import type { Sharing } from '../sharing/sharing.ts';

/** What the handlers of the contract work with. */
export interface ApiParts {
  ports: Ports;
  catalogs: Catalogs;
  downloads: Downloads;
  attention: Pick<Attention, 'onCall'>;
  settings: SettingsHolder;
  secrets: ConnectionSecrets;
  /** How the network is reached. */
  access: NetworkAccess;
  folders: FolderAccess;
  notebook: Notebook;
  areaReader: AreaReader;
  takeOffline: TakeOffline;
  storage: Storage;
  rules: Rules;
  /** Null for a catalog that isn't open. */
  thumbnailsOf: (connectionId: string) => Thumbnails | null;
  sharing: Sharing;
  basemaps: Basemaps;
}
