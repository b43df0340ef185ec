import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '#shared/rpc/contract.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { createAreaReader } from './aoi/area-reader.ts';
import { readAreaFile as readArea, type AreaOfFile } from './aoi/read-area-file.ts';
import { keepAnswers, type KeptCatalog } from './api/keep-answers.ts';
import { openLibraryForCommand, type CommandLibrary } from './api/command-library.ts';
import { createApi } from './api/create-api.ts';
import { answerOrKept, tryToKeep } from './api/kept-answers.ts';
import type { Catalogs, OpenCatalog } from './connection/catalogs.ts';
import type { ConnectionChoice } from './connection/connection-choice.ts';
import { createConnectionSecrets, type ConnectionSecrets } from './connection/connection-secrets.ts';
import type { CatalogAccess } from './connection/connection.ts';
import { createBasemaps } from './basemaps/basemaps.ts';
import { isTilePath, serveTile } from './basemaps/serve-tile.ts';
import { createCatalogs } from './connection/create-catalogs.ts';
import { followOfflineSwitch } from './connection/follow-offline-switch.ts';
import {
  openForCommand,
  type CommandCatalog,
  type CommandCatalogOptions,
} from './connection/open-for-command.ts';
import { resolveChoice } from './connection/import-connection.ts';
import { planForCommand, type CommandChoice, type CommandPlan } from './connection/plan-for-command.ts';
import { findFirst } from './connection/plan-catalogs.ts';
import { createSessionSecrets } from './connection/session-secrets.ts';
import { createDownloads } from './downloads/create-downloads.ts';
import type { startDemo } from './demo/start-demo.ts';
import type { Downloads } from './downloads/downloads.ts';
import { openCommandExchange as openExchange, type CommandExchange } from './exchange/command-exchange.ts';
import { exportFile } from './exchange/export-file.ts';
import { createFolderAccess } from './folders/folder-access.ts';
import { createHttpClient } from './http/create-http-client.ts';
import type { HttpClient } from './http/http-client.ts';
import type { Network } from './http/network/network.ts';
import { createFileLogger } from './log/file-logger.ts';
import type { Clock, Logger, Ports, SecretStore } from './ports.ts';
import { createNetworkAccess } from './settings/network-access.ts';
import { createSettingsHolder, type SettingsHolder } from './settings/settings-holder.ts';
import { keepWireHabits } from './notebook/fact-store.ts';
import { openNotebook, type Notebook } from './notebook/notebook.ts';
import { createTakeOffline } from './offline/create-take-offline.ts';
import { openCommandOffline as openOffline, type CommandOffline } from './offline/open-command-offline.ts';
import { openPacksForCommand, type CommandPacks } from './pack/command-pack.ts';
import { shareForCommand, type CommandShare } from './sharing/command-share.ts';
import { makeToken } from './sharing/sharing-token.ts';
import { createSharing } from './sharing/sharing.ts';
import { createStorage } from './upkeep/create-storage.ts';
import { claimDataFolder } from './upkeep/data-folder.ts';
import { openCommandStorage as openStorage, type CommandStorage } from './upkeep/open-command-storage.ts';
import { serveResource, type Resource } from './thumbnails/serve-resource.ts';
import { createThumbnails, type Thumbnails } from './thumbnails/thumbnails.ts';

interface BackendOptions {
  ports: Ports;
  /** The catalog that the command line names; null: the one that was last in use. */
  connection: ConnectionChoice | null;
  /** Whether answers are checked against the contract: in development and tests. */
  isValidating?: boolean;
}

/** The whole program behind a window. */
export interface Backend {
  /** Answers the contract over any number of pipes. */
  router: Router;
  /** Answers a path of the window's own origin that is no file of the window, such as `/_thumb/…`. */
  serveResource(path: string, signal?: AbortSignal): Promise<Resource>;
  close(): Promise<void>;
}

/**
 * Builds the backend and begins to connect. In the data folder each catalog has a library of its own,
 * `library-<id>.sqlite`; all share one queue, `downloads.sqlite`, and one notebook.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`, `connection.not-found`
 */
export function createBackend(given: BackendOptions): Backend {
  const { ports, release } = claimDataFolder(given.ports);
  try {
    return buildBackend({ ...given, ports }, release);
  } catch (thrown) {
    release();
    throw thrown;
  }
}

function buildBackend(given: BackendOptions, onClosed: () => void): Backend {
  const { ports } = given;
  const options = { ...given, connection: resolveChoice(given.connection, ports.env ?? {}) };
  const settings = createSettingsHolder(ports.settings);
  const store = ports.secrets ?? createSessionSecrets();
  const access = createNetworkAccess({ ports, settings, store });
  const secrets = createSecrets(options, { settings, store });
  const notebook = openNotebook({ filePath: join(ports.dataDir, 'notebook.sqlite') });
  const { catalogs, downloads } = openCatalogsAndQueue(options, {
    settings,
    secrets,
    network: access.network,
    notebook,
  });
  const stopFollowing = settings.onChange(({ maxConcurrentTransfers }) => {
    downloads.setMaxConcurrentTransfers(maxConcurrentTransfers);
  });
  const { network } = access;
  const stopFollowingSwitch = followOfflineSwitch({
    settings,
    network,
    catalogs,
    onBack: () => downloads.noteNetworkIsOn(),
  });
  const folders = createFolderAccess({ ports, settings });
  const areaReader = createAreaReader();
  const { downloadFolders } = notebook;
  const { clock, logger } = ports;
  const sharing = createSharing({ catalogs, settings, store, downloadFolders, clock, logger });
  const thumbnailsOf = createThumbnailsOfEach(catalogs, ports);
  const takeOffline = createTakeOffline({
    ...ports,
    store: notebook.offlineJobs,
    catalogs,
    thumbnailsOf,
    downloads,
  });
  takeOffline.goOnWithAll();
  const storage = createStorage({ ...ports, catalogs, settings, notebook, downloads });
  const basemaps = createBasemaps({
    ports,
    settings,
    http: createTokenlessClient({ clock, logger, network }),
  });
  const api = createApi({
    ports,
    catalogs,
    downloads,
    settings,
    secrets,
    access,
    folders,
    notebook,
    areaReader,
    takeOffline,
    storage,
    thumbnailsOf,
    sharing,
    basemaps,
  });
  return {
    router: createRouter(contract, api, {
      isValidating: options.isValidating ?? false,
      onError: (path, error) => logFailure(ports.logger, path, error),
    }),
    serveResource: (path, signal) =>
      isTilePath(path)
        ? serveTile(path, { basemaps, signal })
        : serveResource(path, { thumbnailsOf, signal }),
    close: async () => {
      stopFollowing();
      await sharing.close();
      stopFollowingSwitch();
      await takeOffline.close();
      await storage.close();
      await downloads.close();
      await catalogs.close();
      await areaReader.close();
      await basemaps.close();
      notebook.close();
      onClosed();
    },
  };
}

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

/** Opens the notebook for one command, which closes it. @throws AppError `library.newer-schema`, `library.corrupt` */
export function openCommandNotebook(dataDir: string): Notebook {
  mkdirSync(dataDir, { recursive: true });
  return openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
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
  noteDestination?: (order: { connectionId: string; destination: string }) => void;
}): Downloads {
  const { access, ...others } = options;
  return createDownloads({
    ...others,
    http: createTokenlessClient(others),
    resolveLink: access.resolveLink,
    loadItem: (ref) => access.catalog.item(ref),
    loadCollection: (id) => access.catalog.collection(id),
  });
}

/** Takes questions offline for one command. @throws AppError `library.*` */
export function openCommandOffline(
  options: Omit<Parameters<typeof openCommandQueue>[0], 'filePath'> & {
    connectionId: string;
    libraryFile: string;
    dataDir: string;
  },
): CommandOffline {
  return openOffline({ ...options, openQueue: (filePath) => openCommandQueue({ ...options, filePath }) });
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
  mkdirSync(options.dataDir, { recursive: true });
  return shareForCommand(options);
}

/** Opens what field packs are made of, and taken into, for a command. @throws AppError `library.*` */
export function openCommandPacks(options: Parameters<typeof openPacksForCommand>[0]): CommandPacks {
  mkdirSync(options.dataDir, { recursive: true });
  return openPacksForCommand(options);
}

/** A token for a shared library. */
export function makeSharingToken(): string {
  return makeToken();
}

/** A log in a file: JSON lines, limited in size, without secrets. */
export function openLog(filePath: string, { clock }: { clock: Clock }): Logger {
  return createFileLogger(filePath, { clock });
}

function createSecrets(
  { ports, connection }: BackendOptions,
  { settings, store }: { settings: SettingsHolder; store: SecretStore },
): ConnectionSecrets {
  const start = findFirst(connection, settings.current);
  return createConnectionSecrets({ store, env: ports.env ?? {}, start });
}

interface CatalogParts {
  settings: SettingsHolder;
  secrets: ConnectionSecrets;
  network: Network;
  notebook: Notebook;
}

function openCatalogsAndQueue({ ports, connection }: BackendOptions, parts: CatalogParts) {
  const { dataDir, clock, logger } = ports;
  let catalogs: Catalogs | null = null;
  try {
    catalogs = createCatalogs({
      dataDir,
      ...parts,
      habitsOf: (connectionId) =>
        keepWireHabits(parts.notebook.facts, { connectionId, now: () => clock.now(), logger }),
      choice: connection,
      probe: async (catalog, library) => {
        const collections = await catalog.collections();
        await tryToKeep(logger, () => library.saveCollections(collections, clock.now()));
      },
      isInsecureHttpAllowed: ports.env?.['SWATH_INSECURE_HTTP'] === '1',
      clock,
      logger,
    });
    return { catalogs, downloads: openQueue({ ports, catalogs, ...parts }) };
  } catch (thrown) {
    // Another Swath has the library or the queue: then nothing of this one may stay behind.
    void (catalogs?.close() ?? Promise.resolve()).finally(() => parts.notebook.close());
    throw thrown;
  }
}

interface QueueParts {
  ports: Ports;
  catalogs: Catalogs;
  settings: SettingsHolder;
  network: Network;
  notebook: Notebook;
}

// Each transfer has its links from its own catalog, whichever is in use.
function openQueue({ ports, catalogs, settings, network, notebook }: QueueParts): Downloads {
  const { clock, logger, appVersion } = ports;
  return createDownloads({
    filePath: join(ports.dataDir, 'downloads.sqlite'),
    http: createTokenlessClient({ ...ports, network }),
    resolveLink: async ({ connectionId, ...asset }, options) =>
      (await catalogs.open(connectionId).connection.access()).resolveLink(asset, options),
    loadItem: async (ref, connectionId) => {
      const { connection, library } = catalogs.open(connectionId);
      const ask = async () => {
        const value = await connection.ask((catalog) => catalog.item(ref));
        return { value, fetchedAtMs: clock.now() };
      };
      return (await answerOrKept(ask, () => library.item(ref))).value;
    },
    loadCollection: async (id, connectionId) =>
      catalogs.open(connectionId).connection.ask((catalog) => catalog.collection(id)),
    noteDestination: ({ connectionId, destination }) =>
      notebook.downloadFolders.note(connectionId, destination, clock.now()),
    clock,
    logger,
    appVersion,
    maxConcurrentTransfers: settings.current.maxConcurrentTransfers,
  });
}

function createThumbnailsOfEach(catalogs: Catalogs, { clock, logger }: Ports) {
  const made = new WeakMap<OpenCatalog, Thumbnails>();
  return (connectionId: string): Thumbnails | null => {
    const opened = catalogs.find(connectionId);
    if (!opened) return null;
    const thumbnails = made.get(opened) ?? createThumbnails({ ...opened, clock, logger });
    made.set(opened, thumbnails);
    return thumbnails;
  };
}

// A resolved link needs no token, so the client that fetches it has none to lose.
function createTokenlessClient(options: { clock: Clock; logger: Logger; network: Network }): HttpClient {
  const { clock, logger, network } = options;
  return createHttpClient({ credentials: null, clock, logger, network, maxCatalogRequests: 1 });
}

function logFailure(logger: Logger, path: string, { code, message, cause }: AppError): void {
  if (code === 'cancelled') return;
  if (code === 'internal') logger.error('call failed', { path, code, message, cause });
  else logger.warn('call failed', { path, code, message });
}
