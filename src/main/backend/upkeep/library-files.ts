import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { LibraryUpkeep } from '../library/upkeep/library-upkeep.ts';
import type { UpkeepRecord } from '../library/upkeep/upkeep-record.ts';
import type { LibraryKeeper } from '../library/upkeep/library-keeper.ts';
import {
  findLibraryFolder,
  libraryFileName,
  refuseMissingFolder,
  toMissingFolderError,
} from '../library/library-file.ts';
import { openLibrary } from '../library/open-library.ts';
import { listAside, type AsideFile } from '../library/upkeep/set-aside.ts';
import type { StorageParts } from './storage-parts.ts';

/** A library's file and who looks after it. */
export interface FoundLibrary {
  connectionId: string;
  name: string | null;
  /** The file that is worked with. */
  filePath: string;
  /** Null while the library is not open. */
  keeper: LibraryKeeper | null;
}

/**
 * Refuses work with libraries that aren't there: nor are those whose folder came back only after they were opened, as
 * empty ones stand in for them. @throws AppError `library.folder-missing`
 */
export function refuseMissingLibraries(parts: StorageParts): void {
  const folder = findLibraryFolder(parts);
  refuseMissingFolder(folder);
  const isStandIn = parts.catalogs.list().some(({ id }) => parts.catalogs.findKeeper(id)?.isStandIn);
  if (isStandIn) throw toMissingFolderError(folder);
}

/** All libraries with a file: those of catalogs that are set up first. */
export function listLibraries(parts: StorageParts): FoundLibrary[] {
  const folder = findLibraryFolder(parts);
  const entries = parts.catalogs.list();
  const known = entries.map(({ id, name }) => {
    const keeper = parts.catalogs.findKeeper(id);
    return {
      connectionId: id,
      name,
      keeper,
      filePath: keeper?.workingPath ?? join(folder, libraryFileName(id)),
    };
  });
  const ids = new Set(entries.map(({ id }) => id));
  const others = (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => /^library-([^.]+)\.sqlite$/.exec(name)?.[1])
    .filter((id) => id !== undefined && !ids.has(id))
    .map((id) => ({
      connectionId: id as string,
      name: null,
      keeper: null,
      filePath: join(folder, libraryFileName(id as string)),
    }));
  return [...known, ...others].filter(({ filePath }) => existsSync(filePath));
}

/** One of them. @throws AppError `connection.not-found` */
export function findLibrary(parts: StorageParts, connectionId: string): FoundLibrary {
  const found = listLibraries(parts).find((library) => library.connectionId === connectionId);
  if (found) return found;
  throw new AppError('connection.not-found', `There is no library of ${connectionId}`, {
    details: { connectionId },
  });
}

/** What its file takes on the disk, journal included. */
export function sizeOf(filePath: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(filePath + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** What was put aside of all libraries. */
export function listAllAside(parts: StorageParts): (AsideFile & { connectionId: string })[] {
  const folder = findLibraryFolder(parts);
  if (!existsSync(folder)) return [];
  const ids = new Set(
    readdirSync(folder)
      .map((name) => /^library-([^.]+)\./.exec(name)?.[1])
      .filter((id) => id !== undefined),
  );
  return [...ids].flatMap((connectionId) =>
    listAside(join(folder, libraryFileName(connectionId))).map((file) => ({ connectionId, ...file })),
  );
}

/** Works with a library's file, opening it for that where it isn't open. */
export async function withUpkeep<Result>(
  { keeper, filePath }: FoundLibrary,
  work: (upkeep: LibraryUpkeep) => Promise<Result>,
): Promise<Result> {
  if (keeper) return work(keeper.library.upkeep);
  const library = openLibrary({ filePath });
  try {
    return await work(library.upkeep);
  } finally {
    await library.close();
  }
}

/** Notes what was done with a library, but where it can't be written to, or its disk is full. */
export async function noteIfWritable(library: FoundLibrary, record: UpkeepRecord): Promise<void> {
  try {
    await withUpkeep(library, (upkeep) => upkeep.note(record));
  } catch (thrown) {
    if (!isAppError(thrown, 'library.read-only') && !isAppError(thrown, 'library.disk-full')) throw thrown;
  }
}
