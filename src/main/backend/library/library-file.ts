import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';

/** What says where libraries lie. */
export interface LibraryPlaces {
  /** `libraryFolder` is null until libraries are moved to another folder. */
  settings: { readonly current: { readonly libraryFolder: string | null } };
  /** Swath's own folder. */
  dataDir: string;
}

/** The folder that all libraries lie in. */
export function findLibraryFolder({ settings, dataDir }: LibraryPlaces): string {
  return settings.current.libraryFolder ?? dataDir;
}

/** Refuses work with libraries in a folder that isn't there, as on a drive that was pulled out. @throws AppError `library.folder-missing` */
export function refuseMissingFolder(folder: string): void {
  if (!existsSync(folder)) throw toMissingFolderError(folder);
}

/** Of a folder of libraries that isn't there. */
export function toMissingFolderError(folder: string): AppError {
  return new AppError('library.folder-missing', `The library folder ${folder} is not there`, {
    details: { folder },
  });
}

/** The name of the file of a catalog's library. */
export function libraryFileName(connectionId: string): string {
  return `library-${connectionId}.sqlite`;
}

/** Where the library of a catalog lies, or will. */
export function findLibraryFile(connectionId: string, places: LibraryPlaces): string {
  return join(findLibraryFolder(places), libraryFileName(connectionId));
}
