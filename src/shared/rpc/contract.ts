import { aoiContract } from './contract/aoi.ts';
import { appContract } from './contract/app.ts';
import { areasContract } from './contract/areas.ts';
import { basemapsContract } from './contract/basemaps.ts';
import { catalogContract } from './contract/catalog.ts';
import { connectionContract } from './contract/connection.ts';
import { downloadsContract } from './contract/downloads.ts';
import { exchangeContract } from './contract/exchange.ts';
import { foldersContract } from './contract/folders.ts';
import { itemContract } from './contract/item.ts';
import { reachabilityContract } from './contract/reachability.ts';
import { libraryContract } from './contract/library.ts';
import { packContract } from './contract/pack.ts';
import { rulesContract } from './contract/rules.ts';
import { savedContract } from './contract/saved.ts';
import { searchContract } from './contract/search.ts';
import { selectionContract } from './contract/selection.ts';
import { storageContract } from './contract/storage.ts';
import { settingsContract } from './contract/settings.ts';
import { takeOfflineContract } from './contract/take-offline.ts';
import { sharingContract } from './contract/sharing.ts';

/** Everything the window can ask of the backend. */
export const contract = {
  app: appContract,
  connection: connectionContract,
  catalog: catalogContract,
  reachability: reachabilityContract,
  search: searchContract,
  saved: savedContract,
  rules: rulesContract,
  item: itemContract,
  selection: selectionContract,
  downloads: downloadsContract,
  folders: foldersContract,
  aoi: aoiContract,
  areas: areasContract,
  basemaps: basemapsContract,
  library: libraryContract,
  takeOffline: takeOfflineContract,
  exchange: exchangeContract,
  pack: packContract,
  settings: settingsContract,
  storage: storageContract,
  sharing: sharingContract,
};
