import { AppError } from '#shared/errors/app-error.ts';
import { nameFailures } from '../sqlite/name-failures.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { createAreaStore, type AreaStore } from './area-store.ts';
import { createAssetRuleStore, type AssetRuleStore } from './asset-rule-store.ts';
import { createDownloadFolderStore, type DownloadFolderStore } from './download-folder-store.ts';
import { createDownloadRuleStore, type DownloadRuleStore } from './download-rule-store.ts';
import { createFactStore, type FactStore } from './fact-store.ts';
import { migrations } from './migrations.ts';
import { createOfflineJobStore, type OfflineJobStore } from './offline-job-store.ts';
import { createPinStore, type PinStore } from './pin-store.ts';
import { createSavedSearchStore, type SavedSearchStore } from './saved-search-store.ts';

/**
 * What a person made, and what was learnt for them: it can be fetched again from nowhere. One for all catalogs. Whatever
 * is called ends with `library.disk-full`, `library.read-only`, `library.in-use` or `library.corrupt` where the file is so.
 */
export interface Notebook {
  readonly savedSearches: SavedSearchStore;
  readonly areas: AreaStore;
  readonly assetRules: AssetRuleStore;
  readonly downloadFolders: DownloadFolderStore;
  readonly downloadRules: DownloadRuleStore;
  readonly facts: FactStore;
  readonly offlineJobs: OfflineJobStore;
  readonly pins: PinStore;
  close(): void;
}

/**
 * Opens the notebook in a file, made if it isn't there; `isChecked` has all of it looked through first.
 * @throws AppError `library.newer-schema`, `library.corrupt`
 */
export function openNotebook({
  filePath,
  isChecked = false,
}: {
  filePath: string;
  isChecked?: boolean;
}): Notebook {
  const database = openSqlite(filePath, {
    name: 'notebook',
    // 'SWTN'
    applicationId: 0x5357544e,
    migrations,
    pragmas: ['synchronous = FULL'],
    isExclusive: false,
  });
  const finding = isChecked ? String(database.pragma('quick_check(1)', { simple: true })) : 'ok';
  if (finding !== 'ok') {
    database.close();
    throw new AppError('library.corrupt', `${filePath} is damaged: ${finding}`, {
      details: { file: filePath },
    });
  }
  const named = <Store extends object>(store: Store): Store =>
    nameFailures(store, { filePath, name: 'notebook' });
  return {
    savedSearches: named(createSavedSearchStore(database)),
    areas: named(createAreaStore(database)),
    assetRules: named(createAssetRuleStore(database)),
    downloadFolders: named(createDownloadFolderStore(database)),
    downloadRules: named(createDownloadRuleStore(database)),
    facts: named(createFactStore(database)),
    offlineJobs: named(createOfflineJobStore(database)),
    pins: named(createPinStore(database)),
    close: () => void database.close(),
  };
}
