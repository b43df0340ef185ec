import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PackOutcome, PackStage, PackSummary } from '#shared/pack/pack-choice.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { isAppError } from '#shared/errors/app-error.ts';
import { keepBrought } from '../basemaps/brought-basemaps.ts';
import { openFileTiles } from '../basemaps/file-tiles.ts';
import { createSerialTasks } from '../downloads/tasks/serial-tasks.ts';
import type { Library } from '../library/library.ts';
import { markGoneSince } from '../library/mark-gone.ts';
import type { Logger } from '../ports.ts';
import { toRefKey } from './gather-content.ts';
import { refuseIfStopped, refusePack } from './pack-error.ts';
import { openPackFile, type PackFile } from './pack-file.ts';
import { filesFolder } from './pack-format.ts';
import { placeFile, proveFile, type PlacedFile, type ProvedFile } from './place-files.ts';
import { readContent, type PackContent } from './read-content.ts';
import { stagePack } from './stage-pack.ts';
import { takeIn } from './take-in.ts';

/** Files of one Item that a pack brought. */
export interface BroughtFiles {
  ref: ItemRef;
  item: StacItem;
  destination: string;
  files: PlacedFile[];
}

/** How a pack is taken in. */
export interface OpenPackOptions {
  path: string;
  /** The library that it goes into. */
  library: Library;
  dataDir: string;
  /** Folder for the downloaded files, which exists; null leaves them out. */
  destination: string | null;
  /** Names a question that had a name where the pack was made; one that is taken stays as it is here. */
  saveQuestion: (name: string, question: SavedQuestion) => void;
  /** Told of files when they have their names. */
  onFiles: (brought: BroughtFiles) => Promise<void> | void;
  /** Told when a map lies among those of the data folder. */
  onBasemap: () => void;
  onProgress: (progress: { stage: PackStage; doneBytes: number; totalBytes: number }) => void;
  nowMs: number;
  logger: Logger;
  signal: AbortSignal;
}

/** What a pack says of itself; its list of contents is checked, its contents are not. @throws AppError `exchange.unreadable` */
export async function previewPack(path: string): Promise<PackSummary> {
  const pack = await openPackFile(path);
  try {
    const { manifest, packBytes } = pack;
    const { name, catalog, createdAt, swathVersion, counts } = manifest;
    const files = manifest.entries.filter(({ path: entry }) => entry.startsWith(`${filesFolder}/`));
    return {
      name: name || basename(path),
      catalogName: catalog.name,
      catalogUrl: catalog.baseUrl,
      createdAt,
      swathVersion,
      counts,
      filesBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      packBytes,
    };
  } finally {
    await pack.close();
  }
}

/**
 * Checks all of a pack, down to each file's checksum, and only then takes it in. What the library takes it takes as a whole,
 * and files one after the other: stopped between two of them those before stay, each complete and with its receipt, and the
 * pack opened once more brings the rest.
 * @throws AppError `exchange.unreadable`, `transfer.*`, `cancelled`: until files are placed nothing has changed then
 */
export async function openPack(options: OpenPackOptions): Promise<PackOutcome> {
  const { path, dataDir, signal, onProgress } = options;
  const destination = options.destination === null ? null : await realpath(options.destination);
  const pack = await openPackFile(path);
  try {
    const staged = await stagePack(pack, {
      dataDir,
      destination: pack.manifest.counts.files === 0 ? null : destination,
      onProgress: (progress) => onProgress({ stage: 'checking', ...progress }),
      signal,
    });
    try {
      const content = await readContent(pack, staged, signal);
      const proved = await proveFiles(content, signal);
      const basemap = await proveBasemap(content);
      const { counts, brought, named } = await takeInTogether(content, { ...options, pack });
      await markGoneSince(options.library, brought);
      for (const { name, question } of named) options.saveQuestion(name, question);
      const isBasemapNew = basemap !== null && (await keepBrought(dataDir, basemap));
      if (isBasemapNew) options.onBasemap();
      const placed = destination === null ? [] : await placeAll(proved, content, { ...options, destination });
      return {
        ...counts,
        filesTaken: placed.filter(({ wasThere }) => !wasThere).length,
        filesKept: placed.filter(({ wasThere }) => wasThere).length,
        basemapsTaken: isBasemapNew ? 1 : 0,
      };
    } finally {
      await staged.discard();
    }
  } finally {
    await pack.close();
  }
}

/** All of it or nothing: it can be stopped, and the program can be killed, at any moment. */
function takeInTogether(
  content: PackContent,
  { pack, library, nowMs, signal, onProgress }: OpenPackOptions & { pack: PackFile },
): ReturnType<typeof takeIn> {
  const totalBytes = sizeOf(pack);
  const { items, searches, thumbnails } = pack.manifest.counts;
  const stepCount = Math.max(1, items + searches + thumbnails);
  let doneCount = 0;
  const onStep = (): void => {
    doneCount = Math.min(doneCount + 1, stepCount);
    onProgress({
      stage: 'taking-in',
      doneBytes: Math.round((totalBytes * doneCount) / stepCount),
      totalBytes,
    });
  };
  return library.together(async (alone) => {
    const taken = await takeIn(content, { library: alone, nowMs, onStep });
    refuseIfStopped(signal);
    return taken;
  });
}

function sizeOf({ manifest }: PackFile): number {
  return manifest.entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A map of a pack is a stranger's file like any other that is added. */
async function proveBasemap({ basemap }: PackContent) {
  if (basemap === null) return null;
  const { stagedPath: filePath, sha256 } = basemap;
  try {
    const tiles = await openFileTiles(filePath);
    const { name } = tiles;
    await tiles.close();
    return { filePath, name, sha256 };
  } catch (thrown) {
    const why = isAppError(thrown, 'basemap.unreadable') ? thrown.details['why'] : null;
    throw refusePack(`Its map can’t be used${typeof why === 'string' ? `: ${why}` : '.'}`);
  }
}

async function proveFiles(content: PackContent, signal: AbortSignal): Promise<ProvedFile[]> {
  const wanted = Map.groupBy(content.files, ({ ref }) => toRefKey(ref));
  const proved: ProvedFile[] = [];
  if (wanted.size === 0) return proved;
  for await (const { one } of content.items()) {
    for (const file of wanted.get(toRefKey(one.ref)) ?? []) {
      const { stagedPath } = file;
      if (stagedPath !== null) proved.push(await proveFile(one, { ...file, stagedPath }, signal));
    }
  }
  return proved;
}

async function placeAll(
  proved: readonly ProvedFile[],
  content: PackContent,
  options: OpenPackOptions & { destination: string },
): Promise<PlacedFile[]> {
  const { destination, nowMs, logger, onFiles, onProgress, signal } = options;
  const tasks = createSerialTasks();
  const collections = new Map(content.collections.map((one) => [one.id, one]));
  const totalBytes = proved.reduce((sum, { verified }) => sum + verified.sizeBytes, 0);
  let doneBytes = 0;
  const all: PlacedFile[] = [];
  for (const [{ ref, item }, files] of Map.groupBy(proved, ({ one }) => one)) {
    const placed: PlacedFile[] = [];
    const collection = collections.get(ref.collectionId) ?? null;
    try {
      for (const file of files) {
        onProgress({ stage: 'placing', doneBytes, totalBytes });
        refuseIfStopped(
          signal,
          `Stopped: ${String(all.length)} of ${String(proved.length)} files have their place`,
        );
        const one = await placeFile(file, { destination, collection, nowMs, tasks, logger });
        placed.push(one);
        all.push(one);
        doneBytes += file.verified.sizeBytes;
      }
    } finally {
      if (placed.length > 0) await onFiles({ ref, item, destination, files: placed });
    }
  }
  return all;
}
