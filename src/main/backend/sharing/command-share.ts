import { join } from 'node:path';
import { openToRead } from '../library/upkeep/open-to-read.ts';
import { openReadableNotebook } from '../notebook/open-readable.ts';
import type { Clock } from '../ports.ts';
import { shareLibrary } from './share-library.ts';

/** What a command serves, and how. */
export interface CommandShare {
  dataDir: string;
  libraryFile: string;
  catalog: { id: string; name: string };
  host: string;
  port: number;
  /** Null asks for none. */
  token: string | null;
  clock: Clock;
}

/**
 * Serves the library of a catalog from its files, which the window may have open too.
 * @throws AppError `input.invalid`, `library.*`
 */
export async function shareForCommand(
  options: CommandShare,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const { dataDir, libraryFile, catalog, ...serving } = options;
  const notebook = openReadableNotebook(join(dataDir, 'notebook.sqlite'));
  let close = (): Promise<void> => {
    notebook.close();
    return Promise.resolve();
  };
  try {
    const { library, close: closeLibrary } = openToRead(libraryFile);
    close = () => closeLibrary().finally(() => notebook.close());
    const destinations = () => notebook.downloadFolders.list(catalog.id);
    const service = await shareLibrary({
      ...serving,
      catalog: { name: catalog.name, library, destinations },
    });
    return { baseUrl: service.baseUrl, close: () => service.close().finally(close) };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
