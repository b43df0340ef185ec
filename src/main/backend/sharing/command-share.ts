import { join } from 'node:path';
import { choosePlace } from '../library/upkeep/choose-place.ts';
import { openToRead } from '../library/upkeep/open-to-read.ts';
import { openNotebook } from '../notebook/notebook.ts';
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
  const place = choosePlace(join(dataDir, 'notebook.sqlite'));
  const notebook = openNotebook({ filePath: place.filePath });
  const closeNotebook = (): void => {
    notebook.close();
    place.release();
  };
  let close = (): Promise<void> => {
    closeNotebook();
    return Promise.resolve();
  };
  try {
    const { library, close: closeLibrary } = openToRead(libraryFile);
    close = () => closeLibrary().finally(closeNotebook);
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
