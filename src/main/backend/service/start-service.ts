import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../ports.ts';
import type { AssetSource } from './asset-source.ts';
import { requireToken } from './authenticate.ts';
import { catalogPath, createCatalogServer } from './catalog-server.ts';
import { LinkSigner, type Randomness } from './link-signer.ts';
import { createObjectStore } from './object-store.ts';
import { PageTokens } from './page-token.ts';
import { assetPath } from './proxy-endpoint.ts';
import type { ServiceContext, ServiceLibrary } from './service-context.ts';

/** What a catalog service is made of. */
export interface ServiceOptions {
  /** Answers the catalog; belongs to the caller and stays open when the service closes. */
  library: ServiceLibrary;
  /** Where the bytes of assets are; an asset it doesn't know gets no links. */
  assets: AssetSource;
  /** Port of the catalog on 127.0.0.1; 0 (the default) takes a free one. */
  port?: number;
  /** Port of the object store, the other origin; 0 (the default) takes a free one. */
  storagePort?: number;
  /** The access token to ask for; made up when left out. */
  token?: string;
  /** Validity of signed links in seconds; 12 hours when left out (catalog-service.md §8). */
  linkTtlSeconds?: number;
  /** Requests to catalog and proxy at once; above it they get 429. 30 when left out (field notes §1.10). */
  maxConcurrent?: number;
  /** Title and description of the landing page. */
  title?: string;
  description?: string;
  clock?: Clock;
  randomness?: Randomness;
}

/** A catalog service that is listening. */
export interface RunningService {
  /** `http://127.0.0.1:<port>/v1/stac`. */
  baseUrl: string;
  /** Address of the asset proxy endpoint. */
  assetUrl: string;
  /** Origin that signed links point to. */
  storageOrigin: string;
  token: string;
  /** Stops listening and breaks off what is under way. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Serves a library as the catalog of catalog-service.md, on this computer only. Rejects when a port is taken. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { library, assets, clock = systemClock, randomness = randomBytes } = options;
  const token = options.token ?? randomness(24).toString('base64url');
  const signer = new LinkSigner(clock, randomness);

  const store = createObjectStore(assets, signer);
  const storageOrigin = await listen(store, options.storagePort ?? 0);
  const addresses = { catalogOrigin: '' };
  const context: ServiceContext = {
    library,
    assets,
    baseUrl: () => `${addresses.catalogOrigin}${catalogPath}`,
    assetUrl: () => `${addresses.catalogOrigin}${assetPath}`,
    storageOrigin: () => storageOrigin,
    linkTtlSeconds: options.linkTtlSeconds ?? 12 * 60 * 60,
    signer,
    pageTokens: new PageTokens(token),
    title: options.title ?? 'Swath catalog',
    description: options.description ?? 'Satellite imagery served from a local library.',
    standard: null,
  };

  const serveCatalog = async () => {
    const server = await createCatalogServer(context, {
      maxConcurrent: options.maxConcurrent ?? 30,
      guard: (app) => requireToken(app, { token, isBasicTaken: false }),
    });
    addresses.catalogOrigin = await server.listen({ host, port: options.port ?? 0 });
    return server;
  };
  const catalog = await serveCatalog().catch(async (error: unknown) => {
    await closeServer(store);
    throw error;
  });
  return {
    baseUrl: context.baseUrl(),
    assetUrl: context.assetUrl(),
    storageOrigin,
    token,
    close: async () => {
      await Promise.all([catalog.close(), closeServer(store)]);
    },
  };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(`http://${host}:${(server.address() as AddressInfo).port}`);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
