import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import { createCatalogClient } from '../../catalog/create-catalog-client.ts';
import type { OpenCatalog } from '../../connection/catalogs.ts';
import { createConnection } from '../../connection/connection.ts';
import { createDownloads } from '../../downloads/create-downloads.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { Wait } from '../../http/wait.ts';
import { createLinkResolver } from '../../links/create-link-resolver.ts';
import { openLibrary } from '../../library/open-library.ts';
import { openNotebook } from '../../notebook/notebook.ts';
import { silentLogger, systemClock, type Clock } from '../../ports.ts';
import { createThumbnails } from '../../thumbnails/thumbnails.ts';
import { createTakeOffline } from '../create-take-offline.ts';

/** Never over by itself: what goes on does so because something happened. */
export const waitForEver: Wait = (_delayMs, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

/** The part of a program that takes things offline, with its files in a folder. */
export function openOfflineDesk(
  folder: string,
  { origin, clock = systemClock, wait = waitForEver }: { origin: string; clock?: Clock; wait?: Wait },
) {
  mkdirSync(folder, { recursive: true });
  const parts = { clock, logger: silentLogger };
  const http = createHttpClient({ ...parts, credentials: null, wait: () => Promise.resolve() });
  const library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  const notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  const connect = (baseUrl: string) => {
    const catalog = createCatalogClient({ baseUrl, http, clock });
    const resolveLink = createLinkResolver({ catalog, http, clock });
    const connection = createConnection({
      name: 'test',
      kind: 'remote',
      start: () => {
        const access = { catalog, http, resolveLink, forgetRefusal: () => undefined };
        return Promise.resolve({ ...access, close: () => Promise.resolve() });
      },
      probe: (client) => client.collections(),
      retryDelayMs: 10,
    });
    connection.onChange(tell);
    const source: OpenCatalog = { id: 'test', connection, library };
    return { source, catalog, resolveLink, thumbnails: createThumbnails({ ...parts, ...source }) };
  };
  let at = connect(origin);
  const downloads = createDownloads({
    ...parts,
    filePath: join(folder, 'downloads.sqlite'),
    http,
    resolveLink: ({ connectionId: _, ...asset }, options) => at.resolveLink(asset, options),
    loadItem: (ref) => at.catalog.item(ref),
    loadCollection: (id) => at.catalog.collection(id),
    appVersion: '1.2.3',
    maxConcurrentTransfers: 1,
  });
  const takeOffline = createTakeOffline({
    ...parts,
    store: notebook.offlineJobs,
    catalogs: {
      open: () => at.source,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    thumbnailsOf: () => at.thumbnails,
    downloads,
    wait,
  });
  return {
    source: at.source,
    library,
    notebook,
    downloads,
    thumbnails: at.thumbnails,
    takeOffline,
    /** The settings say another address. */
    async moveTo(baseUrl: string): Promise<void> {
      const { connection } = at.source;
      at = connect(baseUrl);
      tell();
      await connection.close();
    },
    async close(): Promise<void> {
      await takeOffline.close();
      await downloads.close();
      await at.source.connection.close();
      await library.close();
      notebook.close();
    },
  };
}

/** What `openOfflineDesk` gives. */
export type OfflineDesk = ReturnType<typeof openOfflineDesk>;

/** Resolves once the desk's job is as wished. */
export function until(
  { takeOffline }: OfflineDesk,
  isAsWished: (job: OfflineJob) => boolean,
): Promise<OfflineJob> {
  return new Promise((resolve) => {
    const look = (): void => {
      const [job] = takeOffline.list('test');
      if (!job || !isAsWished(job)) return;
      stop();
      resolve(job);
    };
    const stop = takeOffline.onChange(look);
    look();
  });
}
