import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { PackOutcome } from '#shared/pack/pack-choice.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import { refuseMissingFolder } from '../library/library-file.ts';
import type { Library, PastSearch } from '../library/library.ts';
import { toReadOnlyError } from '../library/upkeep/check-writable.ts';
import { canWrite } from '../library/upkeep/choose-place.ts';
import { openToRead } from '../library/upkeep/open-to-read.ts';
import type { Notebook } from '../notebook/notebook.ts';
import { openReadableNotebook } from '../notebook/open-readable.ts';
import { silentLogger, type Clock } from '../ports.ts';
import { exportPack } from './export-pack.ts';
import { openPack } from './open-pack.ts';
import { nothingToPack } from './pack-error.ts';

/** What field packs are made of, and taken into, by a command. */
export interface CommandPackOptions {
  dataDir: string;
  libraryFile: string;
  catalog: { id: string; name: string; baseUrl: string | null };
  basemaps: readonly BasemapSettings[];
  appVersion: string;
  clock: Clock;
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

/** What a command puts into a pack, and where that comes. */
export interface CommandPackWish {
  /** Names of saved questions; null for all that was asked. */
  saved: readonly string[] | null;
  folder: string;
  name: string;
  withThumbnails: boolean;
  withFiles: boolean;
  /** Name of a basemap; null for none. */
  basemap: string | null;
}

interface Kept {
  library: Library;
  notebook: Notebook;
  /** Whether what is written to the library stays. */
  isKept: boolean;
}

const mostSearches = 10_000;

/**
 * Writes a pack of all past searches, or of those of saved questions. The data folder may be one that takes nothing.
 * @throws AppError as `exportPack`
 */
export async function exportPackForCommand(
  { saved, folder, name, withThumbnails, withFiles, basemap }: CommandPackWish,
  options: CommandPackOptions,
): Promise<{ path: string }> {
  const { dataDir, catalog, basemaps, onProgress } = options;
  const basemapId = basemap === null ? null : findBasemapId(basemap, basemaps);
  refuseMissingFolder(dirname(options.libraryFile));
  // To look makes no library of a catalog that was never seen.
  if (!existsSync(options.libraryFile)) throw nothingToPack();
  return withKept(options, (kept) => {
    const { library, notebook } = kept;
    const all = library.pastSearches({ limit: mostSearches });
    const chosen = saved === null ? all : saved.map((one) => findRun(one, all, { ...kept, catalog }));
    const searchNumbers = chosen.map(({ searchNumber }) => searchNumber);
    return exportPack({
      choice: { searchNumbers, refs: [], withThumbnails, withFiles, basemapId },
      source: {
        library,
        catalog,
        destinations: notebook.downloadFolders.list(catalog.id),
        saved: notebook.savedSearches.list(catalog.id),
        basemaps,
      },
      workParent: canWrite(dataDir) ? dataDir : tmpdir(),
      folder,
      name,
      swathVersion: options.appVersion,
      nowMs: options.clock.now(),
      onProgress: ({ writtenBytes, sizeBytes }) => onProgress(writtenBytes, sizeBytes),
      signal: options.signal,
    });
  });
}

/** Checks a pack and takes it in; without a folder its files stay in it. @throws AppError as `openPack` */
export function openPackForCommand(
  { path, destination }: { path: string; destination: string | null },
  options: CommandPackOptions,
): Promise<PackOutcome> {
  const { dataDir, libraryFile, catalog, clock, onProgress } = options;
  return withKept(options, ({ library, isKept, notebook: { savedSearches, downloadFolders } }) => {
    if (!isKept) throw toReadOnlyError(libraryFile);
    return openPack({
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
      signal: options.signal,
    });
  });
}

async function withKept<Result>(
  { dataDir, libraryFile }: CommandPackOptions,
  work: (kept: Kept) => Promise<Result>,
): Promise<Result> {
  const notebook = openReadableNotebook(join(dataDir, 'notebook.sqlite'));
  try {
    const { library, isKept, close } = openToRead(libraryFile);
    return await work({ library, isKept, notebook }).finally(close);
  } finally {
    notebook.close();
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
  { library, notebook, catalog }: Kept & { catalog: { id: string } },
): PastSearch {
  const question = notebook.savedSearches.findByName(catalog.id, name)?.question;
  const key = question && toQueryKey(question.query);
  const found = runs.find(
    ({ query, localFilter, searchNumber }) =>
      toQueryKey(query) === key &&
      // A file is no answer to a question.
      library.imports.ofSearch(searchNumber) === null &&
      JSON.stringify(localFilter) === JSON.stringify(question?.localFilter ?? null),
  );
  if (found) return found;
  const why = question ? 'was never asked, so there is nothing of it' : 'is not a saved search';
  throw new AppError('saved.not-found', `“${name}” ${why}`, { details: { name } });
}
