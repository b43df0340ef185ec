import { join } from 'node:path';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { createQueueContents, noContents } from '../downloads/queue/queue-contents.ts';
import { openQueueFile } from '../downloads/queue/open-queue-file.ts';
import { refuseMissingFolder } from '../library/library-file.ts';
import { openNotebook } from '../notebook/notebook.ts';
import type { Clock, Logger, SettingsStore } from '../ports.ts';
import { createSettingsHolder } from '../settings/settings-holder.ts';
import { chooseDataFolder } from './choose-data-folder.ts';
import { createStorage, type Storage } from './create-storage.ts';
import { claimQueue } from './data-folder.ts';
import { takeUpNotebook } from './restored-notebook.ts';
import { settleFolder } from './settle-folder.ts';

/** The care of the libraries for one command. */
export interface CommandStorage {
  storage: Storage;
  close(): Promise<void>;
}

/**
 * Opens it without connecting to any catalog. `isAlone` is for what changes files: while it is open no window can open
 * the data folder, and it isn't opened while a window has it. `isLeavingBehind` is for what needs no folder of libraries.
 * @throws AppError `library.folder-missing`, `library.in-use`, `library.read-only`, `library.newer-schema`, `library.corrupt`
 */
export function openCommandStorage(options: {
  dataDir: string;
  settings: SettingsStore;
  isAlone: boolean;
  isLeavingBehind?: boolean;
  appVersion: string;
  clock: Clock;
  logger: Logger;
}): CommandStorage {
  const { isAlone, isLeavingBehind = false, ...others } = options;
  if (!isLeavingBehind) refuseMissingLibraries(options.settings);
  // What only reads works where nothing can be written, too.
  const place = isAlone ? null : chooseDataFolder(options, ['notebook.sqlite']);
  const dataDir = place?.dataDir ?? options.dataDir;
  const claim = isAlone ? claimQueue(dataDir, { clock: options.clock, open: openQueueFile }) : null;
  const settings = createSettingsHolder(place?.settings ?? options.settings);
  if (isAlone) settleFolder({ dataDir, settings }, options.clock.now());
  const notebook = openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
  const downloads = claim?.queue ? createQueueContents(claim.queue) : noContents;
  const named = [
    { id: demoConnectionId, name: 'Demo catalog' },
    ...settings.current.connections.map(({ id, name }) => ({ id, name })),
  ];
  const storage = createStorage(
    {
      ...others,
      dataDir,
      settings,
      notebook,
      notebookRecovery: null,
      downloads,
      catalogs: { list: () => named, findKeeper: () => null, onChange: () => () => undefined },
    },
    // A command does what it was asked for, and nothing by itself.
    { firstCheckMs: null, evictEveryMs: null },
  );
  return {
    storage,
    close: async () => {
      await storage.close();
      notebook.close();
      if (isAlone) takeUpNotebook(dataDir, options.clock.now());
      claim?.release();
      claim?.queue.close();
      place?.release();
    },
  };
}

// Swath's own folder may still have to be made.
function refuseMissingLibraries(settings: SettingsStore): void {
  const { libraryFolder } = createSettingsHolder(settings).current;
  if (libraryFolder !== null) refuseMissingFolder(libraryFolder);
}
