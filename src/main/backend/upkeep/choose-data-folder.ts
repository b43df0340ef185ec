import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyAside, nameOriginal, takesJournals } from '../library/upkeep/choose-place.ts';
import { checkWritable, toReadOnlyError } from '../library/upkeep/check-writable.ts';
import type { SettingsStore } from '../ports.ts';

/** The data folder, and what is set in it. */
interface DataFolderParts {
  dataDir: string;
  settings: SettingsStore;
}

/** Where a program works. */
export interface DataPlace extends DataFolderParts {
  /** Whether what is written there stays; a copy is gone with `release`. */
  isKept: boolean;
  release: () => void;
  /** An error of a file in it, which names the person's own file and not the copy. */
  explain: (thrown: unknown) => unknown;
}

/**
 * The data folder itself; where it can't be written to, or its disk is full, a temporary one with a copy of these of its
 * databases. The libraries are read from their own place. @throws AppError `library.disk-full`
 */
export function chooseDataFolder(
  { dataDir, settings }: DataFolderParts,
  databases: readonly string[],
): DataPlace {
  const filePaths = databases.map((name) => join(dataDir, name));
  if (!existsSync(dataDir) || takesJournals(dataDir, filePaths)) {
    return { dataDir, settings, isKept: true, release: () => undefined, explain: (thrown) => thrown };
  }
  const { folder, release } = copyAside(filePaths);
  const stored = settings.read();
  return {
    dataDir: folder,
    settings: {
      read: () => ({ ...stored, libraryFolder: stored['libraryFolder'] ?? dataDir }),
      write: () => undefined,
    },
    isKept: false,
    release,
    explain: (thrown) => nameOriginal(thrown, { copy: folder, original: dataDir }),
  };
}

/** Makes the data folder where it isn't there yet, and tries whether it takes files. @throws AppError `library.read-only` */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (cause) {
    throw toReadOnlyError(dataDir, cause);
  }
  checkWritable(dataDir);
}
