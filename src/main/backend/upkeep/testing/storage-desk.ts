import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noContents } from '../../downloads/queue/queue-contents.ts';
import { LibraryKeeper } from '../../library/upkeep/library-keeper.ts';
import { openNotebook } from '../../notebook/notebook.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { createSettingsHolder } from '../../settings/settings-holder.ts';
import { createStorage, type Storage } from '../create-storage.ts';
import { settleFolder } from '../settle-folder.ts';
import { findLibraryFolder, libraryFileName } from '../../library/library-file.ts';
import type { StorageParts } from '../storage-parts.ts';

/** One library with the care for it, in the files of a folder, without the rest of the program. */
export interface StorageDesk {
  keeper: LibraryKeeper;
  storage: Storage;
  parts: StorageParts;
  close(): Promise<void>;
}

const connectionId = 'desk';

/** Opens it as the program does at its start. */
export function openStorageDesk(dataDir: string): StorageDesk {
  mkdirSync(dataDir, { recursive: true });
  const settingsPath = join(dataDir, 'settings.json');
  const settings = createSettingsHolder({
    read: () =>
      existsSync(settingsPath)
        ? (JSON.parse(readFileSync(settingsPath, 'utf8')) as Record<string, unknown>)
        : {},
    write: (changed) => {
      writeFileSync(`${settingsPath}.new`, JSON.stringify(changed));
      renameSync(`${settingsPath}.new`, settingsPath);
    },
  });
  settleFolder({ dataDir, settings }, systemClock.now());
  const notebook = openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
  const shared = { dataDir, settings, notebook, clock: systemClock, logger: silentLogger };
  const folder = settings.current.libraryFolder ?? dataDir;
  const filePath = join(folder, libraryFileName(connectionId));
  const keeper = new LibraryKeeper({ filePath, ...shared });
  const parts: StorageParts = {
    ...shared,
    appVersion: '9.9.9',
    notebookRecovery: null,
    downloads: noContents,
    catalogs: {
      list: () => [{ id: connectionId, name: 'Desk' }],
      findKeeper: (id) => (id === connectionId ? keeper : null),
      onChange: (listener) => keeper.onChange(listener),
    },
  };
  const storage = createStorage(parts, { firstCheckMs: null, evictEveryMs: null });
  return {
    keeper,
    storage,
    parts,
    close: async () => {
      await storage.close();
      await keeper.close();
      notebook.close();
    },
  };
}

/** Where the library lies now. */
export function findLibraryFile(desk: StorageDesk): string {
  return join(findLibraryFolder(desk.parts), libraryFileName(connectionId));
}
