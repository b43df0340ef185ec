import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Where a library is worked with. */
export interface LibraryPlace {
  filePath: string;
  /** Whether what is written there stays; a copy is gone when the program ends. */
  isKept: boolean;
  /** Removes what was made for this run alone. */
  release(): void;
}

/**
 * The file itself, or a copy in the system's temporary folder where its own can't be written to or isn't there: SQLite
 * can't even read a journalled file in a folder that takes no journal.
 */
export function choosePlace(filePath: string): LibraryPlace {
  if (canWrite(dirname(filePath)) && (!existsSync(filePath) || canWrite(filePath))) {
    return { filePath, isKept: true, release: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'swath-unkept-'));
  const copy = join(folder, basename(filePath));
  for (const suffix of ['', '-wal']) {
    if (existsSync(filePath + suffix)) {
      copyFileSync(filePath + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    }
  }
  return {
    filePath: copy,
    isKept: false,
    release: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether this program may write there. */
export function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
