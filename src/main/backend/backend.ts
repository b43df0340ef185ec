import { join } from 'node:path';
import { contract } from '#shared/rpc/contract.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { createAreaReader } from './aoi/area-reader.ts';
import { createApi } from './api/create-api.ts';
import { createCommandRouter } from './api/commands/command-router.ts';
import { answerOrKept, tryToKeep } from './api/kept-answers.ts';
import { createAttention } from './attention/attention.ts';
import type { Catalogs, OpenCatalog } from './connection/catalogs.ts';
import type { ConnectionChoice } from './connection/connection-choice.ts';
import { createConnectionSecrets, type ConnectionSecrets } from './connection/connection-secrets.ts';
import { createBasemaps } from './basemaps/basemaps.ts';
import { isTilePath, serveTile } from './basemaps/serve-tile.ts';
import { createCatalogs } from './connection/create-catalogs.ts';
import { followOfflineSwitch } from './connection/follow-offline-switch.ts';
import { followSignIns } from './connection/follow-sign-ins.ts';
import { probeCatalog, tellsOfNetwork } from './connection/probe-catalog.ts';
import { resolveAt } from './connection/resolve-at.ts';
import { resolveChoice } from './connection/import-connection.ts';
import { findFirst } from './connection/plan-catalogs.ts';
import { createSessionSecrets } from './connection/session-secrets.ts';
import { createDownloads } from './downloads/create-downloads.ts';
import type { Downloads } from './downloads/downloads.ts';
import { createFolderAccess } from './folders/folder-access.ts';
import type { Network } from './http/network/network.ts';
import { createFileLogger } from './log/file-logger.ts';
import { silentSystem, type Clock, type Logger, type Ports, type SecretStore } from './ports.ts';
import { createNetworkAccess } from './settings/network-access.ts';
import { followLimits } from './settings/follow-limits.ts';
import { createSettingsHolder, type SettingsHolder } from './settings/settings-holder.ts';
import { keepWireHabits } from './notebook/fact-store.ts';
import type { Notebook } from './notebook/notebook.ts';
import { createTakeOffline } from './offline/create-take-offline.ts';
import type { RuleParts } from './rules/run-rule.ts';
import { createRules } from './rules/rules.ts';
import { createSharing } from './sharing/sharing.ts';
import { explainFailure } from './sqlite/failure-of.ts';
import { createStorage } from './upkeep/create-storage.ts';
import { discardLeftFolders } from './pack/work-folder.ts';
import { claimDataFolder } from './upkeep/data-folder.ts';
import { openHealthyNotebook } from './upkeep/open-healthy-notebook.ts';
import { settleFolder } from './upkeep/settle-folder.ts';
import { serveResource, type Resource } from './thumbnails/serve-resource.ts';
import { createThumbnails, type Thumbnails } from './thumbnails/thumbnails.ts';
import { createTokenlessClient } from './http/create-tokenless-client.ts';

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
  /** Answers commands of this user, which want the queue while this program has it. */
  commandRouter: Router;
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
  settleFolder({ dataDir: ports.dataDir, settings }, ports.clock.now());
  const { notebook, recovery } = openHealthyNotebook(join(ports.dataDir, 'notebook.sqlite'), ports);
  void discardLeftFolders(ports.dataDir);
  const { catalogs, downloads } = openCatalogsAndQueue(options, {
    settings,
    secrets,
    network: access.network,
    notebook,
  });
  const stopFollowing = followLimits(settings, downloads);
  const { network } = access;
  const stopFollowingSwitch = followOfflineSwitch({
    settings,
    network,
    catalogs,
    onSwitch: (isOffline) => downloads.setOffline(isOffline),
  });
  const stopFollowingSignIns = followSignIns({
    catalogs,
    access,
    onSignedIn: (connectionId) => downloads.noteSignedIn(connectionId),
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
  const storage = createStorage({
    ...ports,
    catalogs,
    settings,
    notebook,
    notebookRecovery: recovery,
    downloads,
  });
  const ask: RuleParts['ask'] = (connectionId, question) =>
    catalogs.open(connectionId).connection.ask(question);
  const rules = createRules({
    notebook,
    downloads,
    ask,
    isOffline: () => settings.current.isWorkingOffline,
    look: { firstMs: 20_000, everyMs: 60_000 },
    clock,
    logger,
  });
  const attention = createAttention({ downloads, settings, port: ports.desktop.attention });
  const basemaps = createBasemaps({
    ports,
    settings,
    http: createTokenlessClient({ clock, logger, network }),
  });
  const api = createApi({
    ports,
    catalogs,
    downloads,
    attention,
    settings,
    secrets,
    access,
    folders,
    notebook,
    areaReader,
    takeOffline,
    storage,
    rules,
    thumbnailsOf,
    sharing,
    basemaps,
  });
  const serving = {
    isValidating: options.isValidating ?? false,
    onError: (path: string, error: AppError) => logFailure(ports.logger, path, error),
    explain: explainFailure,
  };
  const isKnown = (connectionId: string) => catalogs.list().some(({ id }) => id === connectionId);
  return {
    router: createRouter(contract, api, serving),
    commandRouter: createCommandRouter(
      { downloads, notebook, rules, settings, ask, isKnown, clock },
      serving,
    ),
    serveResource: (path, signal) =>
      isTilePath(path)
        ? serveTile(path, { basemaps, signal })
        : serveResource(path, { thumbnailsOf, signal }),
    close: async () => {
      stopFollowing();
      await sharing.close();
      stopFollowingSwitch();
      stopFollowingSignIns();
      await rules.close();
      await takeOffline.close();
      await storage.close();
      attention.close();
      // Together: what the queue waits for of a catalog may never come.
      await Promise.all([downloads.close(), catalogs.close()]);
      await areaReader.close();
      await basemaps.close();
      notebook.close();
      onClosed();
    },
  };
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
    resolveLink: async ({ connectionId, ...asset }, options) => {
      const { connection } = catalogs.open(connectionId);
      const saved = settings.current.connections.find(({ id }) => id === connectionId);
      return resolveAt(connection, asset, { s3Access: saved?.s3Access ?? 'off', ...options });
    },
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
    noteDestination: ({ connectionId, destination, usedAtMs }) =>
      notebook.downloadFolders.note(connectionId, destination, usedAtMs),
    knownDestinations: () =>
      [demoConnectionId, ...settings.current.connections.map(({ id }) => id)].flatMap((connectionId) =>
        notebook.downloadFolders.list(connectionId).map((destination) => ({ connectionId, destination })),
      ),
    clock,
    logger,
    appVersion,
    maxConcurrentTransfers: settings.current.maxConcurrentTransfers,
    limits: settings.current.transferLimits,
    isOffline: settings.current.isWorkingOffline,
    system: ports.system ?? silentSystem,
    probe: (connectionId) => probeCatalog(connectionId, { catalogs, network, clock }),
    tellsOfNetwork: (connectionId) => tellsOfNetwork(connectionId, catalogs),
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

function logFailure(logger: Logger, path: string, { code, message, cause }: AppError): void {
  if (code === 'cancelled') return;
  if (code === 'internal') logger.error('call failed', { path, code, message, cause });
  else logger.warn('call failed', { path, code, message });
}
