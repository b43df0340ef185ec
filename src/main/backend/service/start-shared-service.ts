import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../ports.ts';
import type { AssetSource } from './asset-source.ts';
import { requireToken } from './authenticate.ts';
import { catalogPath, createCatalogServer } from './catalog-server.ts';
import { refuseForeignPages } from './judge-host.ts';
import { LinkSigner } from './link-signer.ts';
import { PageTokens } from './page-token.ts';
import { assetPath } from './proxy-endpoint.ts';
import type { ServiceContext, ServiceLibrary, StandardAnswers } from './service-context.ts';
import { isSigned, routeSharedFiles } from './shared-files.ts';

/** What a shared library is served with. */
export interface SharedServiceOptions {
  library: ServiceLibrary;
  /** The files that are on disk now. */
  assets: AssetSource;
  /** Given the context, because items get links of this server. */
  createAnswers: (context: () => ServiceContext) => StandardAnswers;
  /** Address to listen on. */
  host: string;
  /** How others name this computer in links. */
  publicHost: string;
  /** Whether only this computer reaches the address. */
  isLoopback: boolean;
  /** 0 takes a free one. */
  port: number;
  /** Null asks for none; for loopback alone. */
  token: string | null;
  title: string;
  description: string;
  clock: Clock;
  /** Called after each answer that is no error. */
  onAnswer: () => void;
}

/** A shared library that is listening. */
export interface RunningSharedService {
  /** `http://127.0.0.1:<port>/v1/stac`. */
  baseUrl: string;
  port: number;
  close(): Promise<void>;
}

// GDAL opens a handful for each file, and a person has a handful of programs.
const maxConcurrent = 64;
const maxConnections = 256;

/** Serves a library and its files from one address. Rejects with what the system says when the port can't be had. */
export async function startSharedService(options: SharedServiceOptions): Promise<RunningSharedService> {
  const { library, assets, token, isLoopback, clock } = options;
  const addresses = { origin: '' };
  const context: ServiceContext = {
    library,
    assets,
    baseUrl: () => `${addresses.origin}${catalogPath}`,
    assetUrl: () => `${addresses.origin}${assetPath}`,
    storageOrigin: () => addresses.origin,
    linkTtlSeconds: 12 * 60 * 60,
    signer: new LinkSigner(clock, randomBytes),
    pageTokens: new PageTokens(token ?? randomBytes(24).toString('base64url')),
    title: options.title,
    description: options.description,
    standard: options.createAnswers(() => context),
  };
  const app = await createCatalogServer(context, {
    maxConcurrent,
    guard: (server) => {
      refuseForeignPages(server, { isLoopback });
      if (token !== null)
        requireToken(server, {
          token,
          isBasicTaken: true,
          hasPermission: (request) => isSigned(context, request),
        });
    },
    routeMore: (server) => routeSharedFiles(server, context),
  });
  app.addHook('onResponse', (_request, reply, done) => {
    if (reply.raw.statusCode < 400) options.onAnswer();
    done();
  });
  limitConnections(app);
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  addresses.origin = `http://${options.publicHost}:${port}`;
  return { baseUrl: context.baseUrl(), port, close: () => app.close() };
}

/** Somebody who opens many connections, or sends and reads a byte now and then, must not keep the others out. */
function limitConnections({ server }: FastifyInstance): void {
  server.maxConnections = maxConnections;
  server.headersTimeout = 10_000;
  // Counted while nothing moves: a reader that stopped reading is let go.
  server.setTimeout(120_000);
}
