import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { createAoiApi } from './aoi-api.ts';
import { createAppApi } from './app-api.ts';
import { createAreasApi } from './areas-api.ts';
import { createBasemapsApi } from './basemaps-api.ts';
import { createCatalogApi } from './catalog-api.ts';
import { createConnectionApi } from './connection-api.ts';
import { createDownloadsApi } from './downloads-api.ts';
import { createExchangeApi } from './exchange-api.ts';
import { createFoldersApi } from './folders-api.ts';
import { createItemApi } from './item-api.ts';
import { createReachabilityApi } from './reachability-api.ts';
import { createLibraryApi } from './library-api.ts';
import { createPackApi } from './pack-api.ts';
import { createRulesApi } from './rules-api.ts';
import { createSavedApi } from './saved-api.ts';
import { createSearchApi } from './search-api.ts';
import { createOpenSearches } from './searches/open-searches.ts';
import { createSelectionApi } from './selection-api.ts';
import { createSettingsApi } from './settings-api.ts';
import { createStorageApi } from './storage-api.ts';
import { createTakeOfflineApi } from './take-offline-api.ts';
import { createSharingApi } from './sharing-api.ts';

/** Every handler of the contract. */
export function createApi(parts: ApiParts): Handlers<typeof contract> {
  const { savedSearches, facts } = parts.notebook;
  const { clock, logger } = parts.ports;
  const searches = createOpenSearches({ savedSearches, facts, clock, logger });
  return {
    app: createAppApi(parts),
    connection: createConnectionApi(parts),
    catalog: createCatalogApi(parts),
    reachability: createReachabilityApi(parts),
    search: createSearchApi(parts, searches),
    saved: createSavedApi(parts, searches),
    rules: createRulesApi(parts),
    item: createItemApi(parts),
    selection: createSelectionApi(parts),
    downloads: createDownloadsApi(parts),
    folders: createFoldersApi(parts),
    aoi: createAoiApi(parts),
    areas: createAreasApi(parts),
    basemaps: createBasemapsApi(parts),
    library: createLibraryApi(parts),
    takeOffline: createTakeOfflineApi(parts),
    exchange: createExchangeApi(parts, searches),
    pack: createPackApi(parts),
    settings: createSettingsApi(parts),
    storage: createStorageApi(parts),
    sharing: createSharingApi(parts),
  };
}
