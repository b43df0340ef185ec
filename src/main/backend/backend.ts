import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '#shared/rpc/contract.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { createApi } from './api/create-api.ts';
import { answerOrKept, tryToKeep } from './api/kept-answers.ts';
import { connectCatalog, type ConnectOptions } from './connection/connect-catalog.ts';
import { describeChoice, keyOfChoice, type ConnectionChoice } from './connection/connection-choice.ts';
import { createConnection, type CatalogAccess, type Connection } from './connection/connection.ts';
import { createDownloads } from './downloads/create-downloads.ts';
import type { startDemo } from './demo/start-demo.ts';
import type { Downloads } from './downloads/downloads.ts';
import { createFolderAccess } from './folders/folder-access.ts';
import { createHttpClient } from './http/create-http-client.ts';
import type { HttpClient } from './http/http-client.ts';
import { openLibrary } from './library/open-library.ts';
import type { Library } from './library/library.ts';
import { createFileLogger } from './log/file-logger.ts';
import type { Clock, Logger, Ports } from './ports.ts';
import { createSettingsHolder, type SettingsHolder } from './settings/settings-holder.ts';
import { openNotebook } from './notebook/notebook.ts';
import { serveResource, type Resource } from './thumbnails/serve-resource.ts';
import { createThumbnails } from './thumbnails/thumbnails.ts';

interface BackendOptions {
  ports: Ports;
  connection: ConnectionChoice;
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
 * Builds the backend and begins to connect. The library and the queue are in the data folder, one file of each for
 * each catalog: `library-<key>.sqlite` and `downloads-<key>.sqlite`, where the key is `demo` or a hash of the base URL.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function createBackend(options: BackendOptions): Backend {
  const { ports } = options;
  mkdirSync(ports.dataDir, { recursive: true });
  const key = keyOfChoice(options.connection);
  const settings = createSettingsHolder(ports.settings);
  const library = openLibrary({ filePath: join(ports.dataDir, `library-${key}.sqlite`) });
  const connection = createConnection({
    ...describeChoice(options.connection),
    start: (signal) => startConnection(options, settings, signal),
    probe: async (catalog) => {
      const collections = await catalog.collections();
      await tryToKeep(ports.logger, () => library.saveCollections(collections, ports.clock.now()));
    },
  });
  const notebook = openNotebook({ filePath: join(ports.dataDir, 'notebook.sqlite') });
  const downloads = openQueue({ key, ports, connection, library, settings });
  const stopFollowing = followSettings({ settings, connection, downloads });
  const folders = createFolderAccess({ ports, settings });
  const catalogs = {
    current: { id: key, connection, library },
    onChange: connection.onChange.bind(connection),
  };
  const api = createApi({ ports, catalogs, downloads, settings, folders, notebook });
  const thumbnails = createThumbnails({ connection, library, clock: ports.clock, logger: ports.logger });
  return {
    router: createRouter(contract, api, {
      isValidating: options.isValidating ?? false,
      onError: (path, error) => logFailure(ports.logger, path, error),
    }),
    serveResource: (path, signal) => serveResource(path, { thumbnails, signal }),
    close: async () => {
      stopFollowing();
      await downloads.close();
      await connection.close();
      library.close();
      notebook.close();
    },
  };
}

/** Connects to a catalog for one command, without library and queue. */
export function openCatalog(options: ConnectOptions): Promise<CatalogAccess> {
  return connectCatalog(options);
}

/** Opens a queue of its own for one command. The caller closes it before the catalog. */
export function openCommandQueue(options: {
  access: CatalogAccess;
  filePath: string;
  appVersion: string;
  maxConcurrentTransfers: number;
  clock: Clock;
  logger: Logger;
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

/** Serves the demo catalog for others. */
export async function serveDemo(
  options: Parameters<typeof startDemo>[0],
): Promise<Awaited<ReturnType<typeof startDemo>>> {
  const demo = await import('./demo/start-demo.ts');
  return demo.startDemo(options);
}

/** A log in a file: JSON lines, limited in size, without secrets. */
export function openLog(filePath: string, { clock }: { clock: Clock }): Logger {
  return createFileLogger(filePath, { clock });
}

function startConnection(
  { connection, ports }: BackendOptions,
  settings: SettingsHolder,
  signal: AbortSignal,
): Promise<CatalogAccess> {
  const { dataDir, clock, logger } = ports;
  const maxCatalogRequests = settings.current.maxConcurrentRequests;
  return connectCatalog({ choice: connection, dataDir, clock, logger, maxCatalogRequests, signal });
}

interface QueueParts {
  key: string;
  ports: Ports;
  connection: Connection;
  library: Library;
  settings: SettingsHolder;
}

// Refused when another Swath has the queue: then nothing of this one may stay behind.
function openQueue(parts: QueueParts): Downloads {
  try {
    return createQueue(parts);
  } catch (thrown) {
    void parts.connection.close();
    parts.library.close();
    throw thrown;
  }
}

function createQueue({ key, ports, connection, library, settings }: QueueParts): Downloads {
  const { clock, logger, appVersion } = ports;
  return createDownloads({
    filePath: join(ports.dataDir, `downloads-${key}.sqlite`),
    http: createTokenlessClient(ports),
    resolveLink: async (asset, options) => (await connection.access()).resolveLink(asset, options),
    loadItem: async (ref) => {
      const ask = async () => {
        const value = await connection.ask((catalog) => catalog.item(ref));
        return { value, fetchedAtMs: clock.now() };
      };
      return (await answerOrKept(ask, () => library.item(ref))).value;
    },
    loadCollection: (id) => connection.ask((catalog) => catalog.collection(id)),
    clock,
    logger,
    appVersion,
    maxConcurrentTransfers: settings.current.maxConcurrentTransfers,
  });
}

// A resolved link needs no token, so the client that fetches it has none to lose.
function createTokenlessClient({ clock, logger }: { clock: Clock; logger: Logger }): HttpClient {
  return createHttpClient({ credentials: null, clock, logger, maxCatalogRequests: 1 });
}

function followSettings(parts: { settings: SettingsHolder; connection: Connection; downloads: Downloads }) {
  return parts.settings.onChange(({ maxConcurrentRequests, maxConcurrentTransfers }) => {
    parts.downloads.setMaxConcurrentTransfers(maxConcurrentTransfers);
    // Without access there is nothing to limit; the next start reads the setting.
    parts.connection.access().then(
      ({ http }) => http.setMaxCatalogRequests(maxConcurrentRequests),
      () => undefined,
    );
  });
}

function logFailure(logger: Logger, path: string, { code, message, cause }: AppError): void {
  if (code === 'cancelled') return;
  if (code === 'internal') logger.error('call failed', { path, code, message, cause });
  else logger.warn('call failed', { path, code, message });
}
