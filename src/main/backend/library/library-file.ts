import { join } from 'node:path';

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

/** The name of the file of a catalog's library. */
export function libraryFileName(connectionId: string): string {
  return `library-${connectionId}.sqlite`;
}

/** Where the library of a catalog lies, or will. */
export function findLibraryFile(connectionId: string, places: LibraryPlaces): string {
  return join(findLibraryFolder(places), libraryFileName(connectionId));
}
