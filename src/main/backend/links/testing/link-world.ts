import { createCatalogClient } from '../../catalog/create-catalog-client.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { RecordingServer, Reply } from '../../http/testing/recording-server.ts';
import { serve } from '../../http/testing/serve.ts';
import { silentLogger } from '../../ports.ts';
import { createLinkResolver } from '../create-link-resolver.ts';

/** Which links an Item was asked for with. */
export type AskedLinks = 'signed' | 'proxy' | 'none';

/** A catalog with one Item, an asset proxy beside it, and an object store of another origin. */
export async function createWorld() {
  const storage = await serve(() => ({ body: 'bytes' }));
  const catalog: RecordingServer = await serve(({ target, headers }) => {
    if (!target.startsWith('/v1/stac/')) return world.proxy();
    world.minted += 1;
    const isSigned = headers['x-signed-asset-urls'] === 'true';
    const isProxy = headers['x-proxy-asset-urls'] === 'true';
    const assets = world.assets(isSigned ? 'signed' : isProxy ? 'proxy' : 'none');
    const date = new Date(world.serverMs).toUTCString();
    const asked = decodeURIComponent(target.slice(target.lastIndexOf('/') + 1));
    const item = { type: 'Feature', id: asked, collection: 'c', assets, ...world.named };
    return { body: item, headers: { date } };
  });
  const clock = { now: () => world.nowMs };
  const http = createHttpClient({
    credentials: { origin: catalog.origin, accessToken: () => Promise.resolve('sesame') },
    clock,
    logger: silentLogger,
    maxCatalogRequests: 30,
    wait: () => Promise.resolve(),
  });
  const client = createCatalogClient({ baseUrl: `${catalog.origin}/v1/stac`, http, clock });
  const startMs = Date.parse('2026-01-01T00:00:00Z');
  const world = {
    catalog,
    storage,
    resolve: createLinkResolver({ catalog: client, http, clock }),
    /** Clock of this computer. */
    nowMs: startMs,
    /** Clock of the server. */
    serverMs: startMs,
    ttlSeconds: 12 * 3600,
    /** Item answers so far. */
    minted: 0,
    /** How an answer names itself, where not as it was asked for. */
    named: {} as { id?: string; collection?: string },
    /** Assets as the service lists them for a link header. */
    assets: (links: AskedLinks): Record<string, unknown> => {
      const link = links === 'proxy' ? world.proxyLink() : world.signedLink();
      return { visual: asset('s3://bucket/f.tif', link), other: asset('s3://bucket/g.tif', link) };
    },
    proxy: (): Reply | Promise<Reply> => ({
      status: 307,
      headers: { location: `${storage.origin}/p?Signature=p%3D&Expires=1900000000` },
    }),
    signedLink: () =>
      `${storage.origin}/f.tif?Signature=${world.minted}%3D&Expires=${world.serverMs / 1000 + world.ttlSeconds}`,
    proxyLink: () =>
      `${catalog.origin}/v1/asset?asset_path=s3%3A%2F%2Fbucket%2Ff.tif&item_id=i&collection_id=c&asset=visual`,
    proxyRequests: () => catalog.requests.filter(({ target }) => target.startsWith('/v1/asset')),
  };
  return world;
}

/** An asset as the service lists it. */
export function asset(href: string, downloadHref?: string, more: object = {}) {
  return {
    href,
    type: 'image/tiff',
    'file:size': 7,
    'file:checksum': '1220ab',
    ...(downloadHref === undefined ? {} : { alternate: { download: { href: downloadHref } } }),
    ...more,
  };
}
