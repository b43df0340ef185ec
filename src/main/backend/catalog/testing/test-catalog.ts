import { expect } from 'vitest';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { RecordingServer } from '../../http/testing/recording-server.ts';
import { serve } from '../../http/testing/serve.ts';
import { silentLogger } from '../../ports.ts';
import type { CatalogClient, ItemPages } from '../catalog-client.ts';
import { createCatalogClient } from '../create-catalog-client.ts';

/** A client with a token for the catalog that a server plays. */
export function clientFor(server: RecordingServer, path = '/v1/stac'): CatalogClient {
  const http = createHttpClient({
    credentials: { origin: server.origin, accessToken: () => Promise.resolve('sesame') },
    clock: { now: () => 0 },
    logger: silentLogger,
    maxCatalogRequests: 4,
    wait: () => Promise.resolve(),
  });
  return createCatalogClient({ baseUrl: `${server.origin}${path}`, http });
}

/** An Item. */
export const feature = (id: string, more: object = {}) => ({ type: 'Feature', id, collection: 'c', ...more });

/** A page of Items with these ids, and a next link with these members. */
export const page = (ids: readonly string[], next?: object, more: object = {}) => ({
  type: 'FeatureCollection',
  features: ids.map((id) => feature(id)),
  links: next
    ? [
        { rel: 'self', href: 'x' },
        { rel: 'next', ...next },
      ]
    : [],
  ...more,
});

/** Reads every page. */
export async function readAll(
  pages: ItemPages,
): Promise<{ ids: string[]; skipped: string[]; pageCount: number }> {
  const ids: string[] = [];
  const skipped: string[] = [];
  let pageCount = 0;
  for (let one = await pages.next(); one !== null; one = await pages.next()) {
    pageCount += 1;
    ids.push(...one.items.map(({ ref }) => ref.itemId));
    skipped.push(...one.skipped.map(({ reason }) => reason));
    expect(pageCount).toBeLessThan(20);
  }
  return { ids, skipped, pageCount };
}

/** Serves each body once, in order, whatever is asked, and then empty pages. */
export async function serveInOrder(
  makeReplies: (server: () => RecordingServer) => unknown[],
): Promise<RecordingServer> {
  let replies: unknown[] | null = null;
  const server: RecordingServer = await serve(() => {
    replies ??= makeReplies(() => server);
    return { body: replies.shift() ?? page([]) };
  });
  return server;
}
