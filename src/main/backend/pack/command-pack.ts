import { join } from 'node:path';
import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { PackOutcome, PackSummary } from '#shared/pack/pack-choice.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { openLibrary } from '../library/open-library.ts';
import { openNotebook, type Notebook } from '../notebook/notebook.ts';
import { silentLogger, type Clock } from '../ports.ts';
import { exportPack } from './export-pack.ts';
import { openPack, previewPack } from './open-pack.ts';

/** Field packs of the library of one catalog, for one command. */
export interface CommandPacks {
  /** Writes a pack of all past searches, or of those of saved questions. @throws AppError as `exportPack` */
  export(wish: {
    /** Names of saved questions; null for all that was asked. */
    saved: readonly string[] | null;
    folder: string;
    name: string;
    withThumbnails: boolean;
    withFiles: boolean;
    /** Name of a basemap; null for none. */
    basemap: string | null;
  }): Promise<{ path: string }>;
  preview(path: string): Promise<PackSummary>;
  /** Checks a pack and takes it in; without a folder its files stay in it. @throws AppError as `openPack` */
  open(path: string, destination: string | null): Promise<PackOutcome>;
  close(): Promise<void>;
}

interface CommandPackOptions {
  dataDir: string;
  libraryFile: string;
  catalog: { id: string; name: string; baseUrl: string | null };
  basemaps: readonly BasemapSettings[];
  appVersion: string;
  clock: Clock;
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

const mostSearches = 10_000;

/** Opens the library and the notebook. @throws AppError `library.*` */
export function openPacksForCommand(options: CommandPackOptions): CommandPacks {
  const { dataDir, catalog, basemaps, clock, signal, onProgress } = options;
  const notebook = openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
  const { savedSearches, downloadFolders } = notebook;
  const library = openKept(options.libraryFile, notebook);
  return {
    async export({ saved, folder, name, withThumbnails, withFiles, basemap }) {
      const basemapId = basemap === null ? null : findBasemapId(basemap, basemaps);
      const all = library.pastSearches({ limit: mostSearches });
      const chosen = saved === null ? all : saved.map((one) => findRun(one, all, { notebook, catalog }));
      const searchNumbers = chosen.map(({ searchNumber }) => searchNumber);
      return exportPack({
        choice: { searchNumbers, refs: [], withThumbnails, withFiles, basemapId },
        source: {
          library,
          catalog,
          destinations: downloadFolders.list(catalog.id),
          saved: savedSearches.list(catalog.id),
          basemaps,
        },
        dataDir,
        folder,
        name,
        swathVersion: options.appVersion,
        nowMs: clock.now(),
        onProgress: ({ writtenBytes, sizeBytes }) => onProgress(writtenBytes, sizeBytes),
        signal,
      });
    },
    preview: (path) => previewPack(path),
    open: (path, destination) =>
      openPack({
        path,
        library,
        dataDir,
        destination,
        saveQuestion: (name, question) => {
          if (savedSearches.findByName(catalog.id, name)) return;
          savedSearches.save({ connectionId: catalog.id, name, question, nowMs: clock.now() });
        },
        // The window's queue belongs to the window; the receipts beside the files say the same.
        onFiles: (brought) => downloadFolders.note(catalog.id, brought.destination, clock.now()),
        // The window finds it when it starts.
        onBasemap: () => undefined,
        onProgress: ({ doneBytes, totalBytes }) => onProgress(doneBytes, totalBytes),
        nowMs: clock.now(),
        logger: silentLogger,
        signal,
      }),
    close: () => library.close().finally(() => notebook.close()),
  };
}

function openKept(filePath: string, notebook: Notebook): Library {
  try {
    return openLibrary({ filePath });
  } catch (thrown) {
    notebook.close();
    throw thrown;
  }
}

function findBasemapId(name: string, basemaps: readonly BasemapSettings[]): string {
  const found = basemaps.find((one) => one.name === name);
  if (found) return found.id;
  const names = basemaps.filter(({ kind }) => kind === 'file').map((one) => `“${one.name}”`);
  const others = names.length === 0 ? 'there is none from a file' : `there are ${names.join(', ')}`;
  throw new AppError('basemap.not-found', `There is no basemap “${name}”; ${others}`);
}

/** The latest run of a saved question. */
function findRun(
  name: string,
  runs: readonly PastSearch[],
  { notebook, catalog }: { notebook: Notebook; catalog: { id: string } },
): PastSearch {
  const question = notebook.savedSearches.findByName(catalog.id, name)?.question;
  const key = question && toQueryKey(question.query);
  const found = runs.find(
    ({ query, localFilter }) =>
      toQueryKey(query) === key &&
      JSON.stringify(localFilter) === JSON.stringify(question?.localFilter ?? null),
  );
  if (found) return found;
  const why = question ? 'was never asked, so there is nothing of it' : 'is not a saved search';
  throw new AppError('saved.not-found', `“${name}” ${why}`, { details: { name } });
}
