import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { OfflineEstimate } from '#shared/offline/offline-estimate.ts';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { createConnection, type CatalogAccess } from '../connection/connection.ts';
import type { Downloads, DownloadsOptions } from '../downloads/downloads.ts';
import { openLibrary } from '../library/open-library.ts';
import { openNotebook } from '../notebook/notebook.ts';
import type { Clock, Logger } from '../ports.ts';
import { createThumbnails } from '../thumbnails/thumbnails.ts';
import { createTakeOffline } from './create-take-offline.ts';
import { estimateOffline } from './estimate-offline.ts';
import type { OfflineOrder } from './take-offline.ts';

/** What one command takes offline with. */
export interface CommandOffline {
  /** @throws AppError as the catalog's */
  estimate(question: SavedQuestion, signal: AbortSignal): Promise<OfflineEstimate>;
  start(order: Omit<OfflineOrder, 'connectionId'>): number;
  find(jobId: number): OfflineJob | null;
  onChange(listener: () => void): () => void;
  waitUntilSettled(jobId: number, signal: AbortSignal): Promise<OfflineJob>;
  /** Waits until no queued file can go on by itself. @throws AppError `cancelled` */
  bringFilesHome(signal: AbortSignal): Promise<Transfer[]>;
  /** Closes all but the access. */
  close(): Promise<void>;
}

/**
 * Opens a library and the notebook, which the window may have open too, and a queue of its own.
 * @throws AppError `library.*`
 */
export function openCommandOffline(options: {
  access: CatalogAccess;
  connectionId: string;
  libraryFile: string;
  dataDir: string;
  openQueue: (filePath: string, options: Pick<DownloadsOptions, 'noteDestination'>) => Downloads;
  clock: Clock;
  logger: Logger;
}): CommandOffline {
  const { access, connectionId, dataDir, clock, logger } = options;
  const folder = join(dataDir, 'command-line');
  mkdirSync(folder, { recursive: true });
  const library = openLibrary({ filePath: options.libraryFile });
  const notebook = openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
  // Where files were brought to is where packs and other programs find them.
  const downloads = options.openQueue(join(folder, `take-offline-${connectionId}.sqlite`), {
    noteDestination: ({ destination, usedAtMs }) =>
      notebook.downloadFolders.note(connectionId, destination, usedAtMs),
  });
  const connection = createConnection({
    name: connectionId,
    kind: 'remote',
    // The command lets go of it.
    start: () => Promise.resolve({ ...access, close: () => Promise.resolve() }),
    probe: (catalog) => catalog.collections(),
  });
  const source: OpenCatalog = { id: connectionId, connection, library };
  const thumbnails = createThumbnails({ ...source, clock, logger });
  const takeOffline = createTakeOffline({
    store: notebook.offlineJobs,
    catalogs: { open: () => source, onChange: (listener) => connection.onChange(listener) },
    thumbnailsOf: () => thumbnails,
    downloads,
    clock,
    logger,
  });
  return {
    async estimate(question, signal) {
      const { items: _, ...estimate } = await estimateOffline(question, {
        source,
        thumbnails,
        clock,
        signal,
      });
      return estimate;
    },
    start: (order) => takeOffline.start({ ...order, connectionId }),
    find: (jobId) => takeOffline.find(jobId),
    onChange: (listener) => takeOffline.onChange(listener),
    waitUntilSettled: (jobId, signal) => takeOffline.waitUntilSettled(jobId, signal),
    async bringFilesHome(signal) {
      for (const downloadId of new Set(downloads.transfers().map((transfer) => transfer.downloadId))) {
        await downloads.waitUntilSettled(downloadId, signal);
        await yieldToOthers();
      }
      return downloads.transfers();
    },
    close: async () => {
      await takeOffline.close();
      await downloads.close();
      await connection.close();
      await library.close();
      notebook.close();
    },
  };
}
