import { createCatalogClient } from '../catalog/create-catalog-client.ts';
import type { WireHabits } from '../catalog/wire-habits.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { Network } from '../http/network/network.ts';
import type { RequestGate } from '../http/request-gate.ts';
import { createLinkCalls } from '../links/link-calls.ts';
import { createLinkResolver } from '../links/create-link-resolver.ts';
import { createS3Signer, type S3Signer } from '../links/s3/s3-signer.ts';
import { createUserCredentials } from '../links/s3/user-credentials.ts';
import type { Clock, Logger } from '../ports.ts';
import type { CatalogSource } from './connection-choice.ts';
import type { CatalogAccess } from './connection.ts';
import { createCredentials } from './create-credentials.ts';

/** What is needed to talk to a catalog. */
export interface ConnectOptions {
  source: CatalogSource;
  /** Where the demo catalog is kept. */
  dataDir: string;
  /** Lets the requests of the account through, whoever makes them. */
  gate: RequestGate;
  /** How servers are reached. */
  network: Network;
  clock: Clock;
  logger: Logger;
  /** Whether somebody chose to let secrets cross the network readable (`SWATH_INSECURE_HTTP`). */
  isInsecureHttpAllowed: boolean;
  /** How the catalog wants its searches written, from earlier runs; by default it is found out anew. */
  habits?: WireHabits;
  /** Stops the making of the demo catalog. */
  signal?: AbortSignal | undefined;
  /** Breaks off whatever is asked: the program ends. */
  ending?: AbortSignal | undefined;
}

/** Everything that talks to a catalog; starts the demo catalog first where that is the one. */
export async function connectCatalog(options: ConnectOptions): Promise<CatalogAccess> {
  const { source, clock, logger, gate, network, habits } = options;
  const demo = source.kind === 'demo' ? await startDemoCatalog(source, options) : null;
  const remote = demo ? toRemote(demo) : (source as RemoteSource);
  const { baseUrl } = remote;
  const http = createHttpClient({
    credentials: createCredentials(remote, options),
    clock,
    logger,
    gate,
    network,
    ending: options.ending,
  });
  const catalog = createCatalogClient({ http, baseUrl, clock, ...(habits ? { habits } : {}) });
  const calls = createLinkCalls({ clock });
  return {
    catalog,
    http,
    resolveLink: createLinkResolver({ catalog, http, clock, calls, s3: createUserSigner(clock) }),
    forgetRefusal: () => calls.forgetRefusal(),
    close: () => demo?.close() ?? Promise.resolve(),
  };
}

// AWS's own tools read their variables from the process, and so do its providers.
function createUserSigner(clock: Clock): S3Signer {
  return createS3Signer({ credentials: createUserCredentials({ clock }), env: process.env });
}

type RemoteSource = Extract<CatalogSource, { kind: 'remote' }>;

function toRemote({ baseUrl, token }: { baseUrl: string; token: string }): RemoteSource {
  return { kind: 'remote', baseUrl, auth: { kind: 'token' }, findSecret: () => Promise.resolve(token) };
}

// Loaded only where it is the catalog: its coastlines alone are as large as the rest of the program.
async function startDemoCatalog(
  { itemCount, seed }: Extract<CatalogSource, { kind: 'demo' }>,
  { dataDir, clock, signal }: ConnectOptions,
) {
  const { startDemo } = await import('../demo/start-demo.ts');
  return startDemo({
    dataDir,
    port: 0,
    clock,
    ...(signal ? { signal } : {}),
    ...(itemCount === undefined ? {} : { itemCount }),
    ...(seed === undefined ? {} : { seed }),
  });
}
