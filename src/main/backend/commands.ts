import type { PackSummary } from '#shared/pack/pack-choice.ts';
import type { Router } from '#shared/rpc/server.ts';
import { createFileLogger } from './log/file-logger.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAreaFile as readArea, type AreaOfFile } from './aoi/read-area-file.ts';
import { keepAnswers, type KeptCatalog } from './api/keep-answers.ts';
import { createCommandRouter } from './api/commands/command-router.ts';
import { openLibraryForCommand, type CommandLibrary } from './api/command-library.ts';
import type { CatalogAccess } from './connection/connection.ts';
import {
  openForCommand,
  type CommandCatalog,
  type CommandCatalogOptions,
} from './connection/open-for-command.ts';
import { answers } from './connection/probe-catalog.ts';
import { planForCommand, type CommandChoice, type CommandPlan } from './connection/plan-for-command.ts';
import { createDownloads } from './downloads/create-downloads.ts';
import { checkFolder, type FolderCheck } from './downloads/output/verify-folder.ts';
import { handoverHints as hints } from './downloads/handover/write-handover.ts';
import type { startDemo } from './demo/start-demo.ts';
import type { Downloads } from './downloads/downloads.ts';
import { toCell } from './exchange/csv-cell.ts';
import { writeRecords } from './exchange/csv-records.ts';
import { openCommandExchange as openExchange, type CommandExchange } from './exchange/command-exchange.ts';
import { exportFile } from './exchange/export-file.ts';
import type { Network } from './http/network/network.ts';
import { checkWritable } from './library/upkeep/check-writable.ts';
import { systemClock, type Clock, type Logger } from './ports.ts';
import { openNotebook, type Notebook } from './notebook/notebook.ts';
import { openReadableNotebook } from './notebook/open-readable.ts';
import { openCommandOffline as openOffline, type CommandOffline } from './offline/open-command-offline.ts';
import { exportPackForCommand, openPackForCommand, type CommandPackOptions } from './pack/command-pack.ts';
import { previewPack } from './pack/open-pack.ts';
import { shareForCommand, type CommandShare } from './sharing/command-share.ts';
import { makeToken } from './sharing/sharing-token.ts';
import { explainFailure } from './sqlite/failure-of.ts';
import { chooseDataFolder, prepareDataFolder } from './upkeep/choose-data-folder.ts';
import { openDataQueue as openQueue, type DataQueueOptions } from './upkeep/data-queue.ts';
import { openCommandStorage as openStorage, type CommandStorage } from './upkeep/open-command-storage.ts';
import { createTokenlessClient } from './http/create-tokenless-client.ts';

/** Connects to a catalog for one command, without library and queue. @throws AppError `connection.not-found` */
export function openCatalog(options: CommandCatalogOptions): Promise<CommandCatalog> {
  return openForCommand(options);
}

/** A catalog whose answers go into the library in a file as well. */
export function keepCommandAnswers(...parts: Parameters<typeof keepAnswers>): KeptCatalog {
  return keepAnswers(...parts);
}

/** The catalog that a command names, before anything connects to it. @throws AppError `connection.not-found` */
export function findCommandCatalog(choice: CommandChoice): CommandPlan {
  return planForCommand(choice);
}

/**
 * Opens the notebook for one command, which closes it. `isReading`: it changes nothing, so that the folder may be one that
 * takes nothing.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.read-only`
 */
export function openCommandNotebook(
  dataDir: string,
  { isReading }: { isReading: boolean } = { isReading: false },
): Notebook {
  const filePath = join(dataDir, 'notebook.sqlite');
  if (isReading) return openReadableNotebook(filePath);
  prepareDataFolder(dataDir);
  if (existsSync(filePath)) checkWritable(filePath);
  return openNotebook({ filePath });
}

/**
 * Reads the area of a file, of any kind that the window takes.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`, both naming the file
 */
export function readAreaFile(filePath: string): Promise<AreaOfFile> {
  return readArea(filePath);
}

/** Opens a queue of its own for one command. The caller closes it before the catalog. */
export function openCommandQueue(options: {
  access: CatalogAccess;
  /** How the storage is reached: as the catalog is. */
  network: Network;
  filePath: string;
  appVersion: string;
  maxConcurrentTransfers: number;
  clock: Clock;
  logger: Logger;
  noteDestination?: (used: { connectionId: string; destination: string; usedAtMs: number }) => void;
}): Downloads {
  const { access, ...others } = options;
  const { baseUrl } = access.catalog;
  return createDownloads({
    ...others,
    http: createTokenlessClient(others),
    resolveLink: access.resolveLink,
    loadItem: (ref) => access.catalog.item(ref),
    loadCollection: (id) => access.catalog.collection(id),
    probe: () => answers({ url: baseUrl, ...others }),
  });
}

/** The window's own queue in the hands of a command. */
export interface OpenedDataQueue {
  /** Answers this command, and others that want the queue meanwhile. */
  commandRouter: Router;
  /** Brings what runs to a point from which it goes on, and lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the window's own queue for one command. `isReading`: it changes nothing, so that the folder may be one that takes
 * nothing.
 * @throws AppError `library.in-use`, saying who has it; `library.read-only`
 */
export function openDataQueue(options: DataQueueOptions & { isReading?: boolean }): OpenedDataQueue {
  const place = options.isReading ? chooseDataFolder(options, ['notebook.sqlite', 'downloads.sqlite']) : null;
  const release = (): void => place?.release();
  try {
    const queue = openQueue({ ...options, ...place, isCopy: place?.isKept === false });
    const commandRouter = createCommandRouter(queue, { isValidating: false, explain: explainFailure });
    return { commandRouter, close: () => queue.close().finally(release) };
  } catch (thrown) {
    release();
    throw place ? place.explain(thrown) : thrown;
  }
}

/** What a person has to know to run what was handed to a tool. */
export const handoverHints = hints;

/** What SQLite says of a file of Swath's as an AppError; anything else as it is. */
export function explainFileFailure(thrown: unknown): unknown {
  return explainFailure(thrown);
}

/** Looks through a folder that downloads went to. @throws AppError `transfer.*` */
export function checkDownloadFolder(root: string): Promise<FolderCheck> {
  return checkFolder(root);
}

/** Takes questions offline for one command. @throws AppError `library.*` */
export function openCommandOffline(
  options: Omit<Parameters<typeof openCommandQueue>[0], 'filePath'> & {
    connectionId: string;
    libraryFile: string;
    dataDir: string;
  },
): CommandOffline {
  prepareDataFolder(options.dataDir);
  return openOffline({
    ...options,
    openQueue: (filePath, more) => openCommandQueue({ ...options, ...more, filePath }),
  });
}

/** Opens what is kept of a catalog for one command. @throws AppError `network.switched-off` where nothing is, `library.*` */
export function openCommandLibrary(filePath: string): CommandLibrary {
  return openLibraryForCommand(filePath);
}

/** Opens what is kept of a catalog for items to leave or to enter it by one command. @throws AppError `library.*` */
export function openCommandExchange(filePath: string, options: { signal: AbortSignal }): CommandExchange {
  return openExchange(filePath, options);
}

/** Writes items to a file. @throws AppError `exchange.*`, `transfer.*`, `cancelled` */
export function exportItems(...order: Parameters<typeof exportFile>): ReturnType<typeof exportFile> {
  return exportFile(...order);
}

/** Lines of CSV for a command to print, safe to open in a spreadsheet. */
export function toCsv(records: readonly (readonly unknown[])[]): string {
  return writeRecords(
    records.map((record) => record.map(toCell)),
    '\n',
  );
}

/** The care of the libraries for one command. @throws AppError `library.*` */
export function openCommandStorage(options: Parameters<typeof openStorage>[0]): CommandStorage {
  return openStorage(options);
}

/** Serves the demo catalog for others. */
export async function serveDemo(
  options: Parameters<typeof startDemo>[0],
): Promise<Awaited<ReturnType<typeof startDemo>>> {
  const demo = await import('./demo/start-demo.ts');
  return demo.startDemo(options);
}

/** Serves the library of a catalog for a command. @throws AppError `input.invalid`, `library.*` */
export function serveLibrary(options: CommandShare): ReturnType<typeof shareForCommand> {
  return shareForCommand(options);
}

/** Writes a field pack for a command; the data folder may be one that takes nothing. @throws AppError as `exportPack` */
export function exportCommandPack(
  ...order: Parameters<typeof exportPackForCommand>
): ReturnType<typeof exportPackForCommand> {
  return exportPackForCommand(...order);
}

/** Takes a field pack in for a command. @throws AppError as `openPack` */
export async function openCommandPack(
  order: { path: string; destination: string | null },
  options: CommandPackOptions,
): ReturnType<typeof openPackForCommand> {
  prepareDataFolder(options.dataDir);
  return openPackForCommand(order, options);
}

/** What a field pack says of itself. @throws AppError `exchange.unreadable`, `transfer.*` */
export function readFieldPack(path: string): Promise<PackSummary> {
  return previewPack(path);
}

/** A token for a shared library. */
export function makeSharingToken(): string {
  return makeToken();
}

/** The log of commands in a data folder: JSON lines, limited in size, without secrets. */
export function openCommandLog(dataDir: string): Logger {
  return createFileLogger(join(dataDir, 'command-line.log'), { clock: systemClock });
}
