import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';

/** Where a library is worked with. */
export interface LibraryPlace {
  filePath: string;
  /** Whether what is written there stays; a copy is gone when the program ends. */
  isKept: boolean;
  /** Whether the folder wasn't there: what is worked with has nothing of the library. */
  isFolderMissing: boolean;
  /** Removes what was made for this run alone. */
  release(): void;
  /** An error of it, which names the person's own file and not the copy. */
  explain(thrown: unknown): unknown;
}

/** What the index of a journal has from the beginning (walformat.html §2). */
const indexBytes = 32 * 1024;
/** That, and a row or two. */
const leastFreeBytes = 64 * 1024;

/**
 * The file itself, or a copy in the system's temporary folder where its own can't be written to, is full or isn't there:
 * SQLite can't even read a journalled file in a folder that takes no journal.
 * @throws AppError `library.disk-full` where there is no room for the copy either
 */
export function choosePlace(filePath: string): LibraryPlace {
  if (takesJournals(dirname(filePath), [filePath]) && (!existsSync(filePath) || canWrite(filePath))) {
    return {
      filePath,
      isKept: true,
      isFolderMissing: false,
      release: () => undefined,
      explain: (thrown) => thrown,
    };
  }
  const isFolderMissing = !existsSync(dirname(filePath));
  const { folder, release } = copyAside([filePath]);
  const copy = join(folder, basename(filePath));
  return {
    filePath: copy,
    isKept: false,
    isFolderMissing,
    release,
    explain: (thrown) => nameOriginal(thrown, { copy, original: filePath }),
  };
}

/**
 * Whether journals can be written in a folder: it may be written to, and has room, or what SQLite needs lies beside these
 * databases already. It never does beside the queue, which one program alone has open.
 */
export function takesJournals(folder: string, filePaths: readonly string[]): boolean {
  if (!canWrite(folder)) return false;
  const there = filePaths.filter((path) => existsSync(path));
  return (there.length > 0 && there.every(hasIndex)) || !isFull(folder);
}

// Whoever found the disk full has left a part of one.
function hasIndex(filePath: string): boolean {
  return (statSync(`${filePath}-shm`, { throwIfNoEntry: false })?.size ?? 0) >= indexBytes;
}

function isFull(folder: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(folder);
  // Some network drives know nothing of their size.
  return blocks > 0 && bavail * bsize < leastFreeBytes;
}

/** An error that names what was copied where it named the copy. */
export function nameOriginal(
  thrown: unknown,
  { copy, original }: { copy: string; original: string },
): unknown {
  if (!(thrown instanceof AppError) || !thrown.message.includes(copy)) return thrown;
  const name = (value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(copy, () => original) : value;
  const details = Object.entries(thrown.details).map(([key, value]) => [key, name(value)]);
  return new AppError(thrown.code, String(name(thrown.message)), {
    details: Object.fromEntries(details) as AppError['details'],
    cause: thrown,
  });
}

/** Reads a library's file, or a copy of it where its folder takes nothing. */
export async function withReadable<Result>(
  filePath: string,
  read: (readablePath: string) => Promise<Result>,
): Promise<Result> {
  const place = choosePlace(filePath);
  try {
    return await read(place.filePath);
  } catch (thrown) {
    throw place.explain(thrown);
  } finally {
    place.release();
  }
}

/**
 * Copies the databases among these that are there, and what their journals hold, into a folder for this run alone.
 * @throws AppError `library.disk-full`
 */
export function copyAside(filePaths: readonly string[]): { folder: string; release: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'swath-unkept-'));
  const release = (): void => rmSync(folder, { recursive: true, force: true });
  for (const filePath of filePaths) {
    try {
      copyDatabase(filePath, join(folder, basename(filePath)));
    } catch (thrown) {
      release();
      throw isNoRoom(thrown)
        ? noRoom(`for the copy that ${filePath} is read from`, filePath, thrown)
        : thrown;
    }
  }
  return { folder, release };
}

function copyDatabase(filePath: string, copyPath: string): void {
  for (const suffix of ['', '-wal']) {
    if (!existsSync(filePath + suffix)) continue;
    copyFileSync(filePath + suffix, copyPath + suffix, constants.COPYFILE_FICLONE);
    // A copy has the rights of its source, which may allow reading alone.
    chmodSync(copyPath + suffix, 0o600);
  }
}

/** Whether the file system, or a person's share of it, is full. */
export function isNoRoom(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && /^E(NOSPC|DQUOT)$/.test(String(thrown.code));
}

/** Of a file, or a folder, that has no room; `what` it has none for, or in. */
export function noRoom(what: string, path: string, cause: unknown): AppError {
  return new AppError('library.disk-full', `There is no room ${what}`, { details: { file: path }, cause });
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
