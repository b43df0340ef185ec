import { checkStepNames, type CheckStepData, type CheckStepName } from '#shared/connection/check-step.ts';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { createCatalogClient } from '../catalog/create-catalog-client.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { Credentials } from '../http/http-client.ts';
import type { Network } from '../http/network/network.ts';
import type { RequestGate } from '../http/request-gate.ts';
import type { Clock, Logger } from '../ports.ts';
import { checkProxyLinks, checkSignedLinks } from './check-connection-links.ts';
import {
  checkAuthentication,
  checkCollections,
  checkQueryables,
  checkReach,
  checkSearch,
  checkTls,
} from './check-connection-steps.ts';
import type { CheckContext, Finding, Findings } from './check-connection-findings.ts';

/** One thing that was tried on a connection, and how it went. */
export interface CheckStep extends Omit<CheckStepData, 'error'> {
  error: AppError | null;
}

/** What is checked, and by which way. */
export interface CheckOptions {
  baseUrl: string;
  /** Null: the catalog is asked without a token. */
  credentials: Credentials | null;
  network?: Network | undefined;
  /** The gate of the account, where it has one already. */
  gate?: RequestGate | undefined;
  clock: Clock;
  logger: Logger;
  /** Ends the check after the step that it is at. */
  signal?: AbortSignal | undefined;
}

const checks: Record<CheckStepName, (context: CheckContext, findings: Findings) => Promise<Finding>> = {
  reachable: checkReach,
  tls: checkTls,
  authenticated: checkAuthentication,
  collections: checkCollections,
  search: checkSearch,
  queryables: checkQueryables,
  'signed-links': checkSignedLinks,
  'proxy-links': checkProxyLinks,
};

/**
 * Tries a connection step by step, as a person would use it, and tells how each went as soon as it is known. What can't be
 * tried because of an earlier step is skipped. Throws for no catalog, however broken.
 */
export async function* checkConnection(options: CheckOptions): AsyncGenerator<CheckStep, void> {
  const context = createContext(options);
  const findings: Findings = { reach: null, collections: null, blocked: null, item: null };
  for (const step of checkStepNames) {
    const finding = await checks[step](context, findings).catch(toFailure);
    if (options.signal?.aborted) return;
    yield { step, error: null, ...finding };
  }
}

function toFailure(thrown: unknown): Finding {
  const error = toAppError(thrown);
  return { state: 'failed', detail: error.message, error };
}

function createContext({
  baseUrl,
  credentials,
  network,
  gate,
  clock,
  logger,
  signal,
}: CheckOptions): CheckContext {
  const http = createHttpClient({
    credentials,
    clock,
    logger,
    ...(network ? { network } : {}),
    ...(gate ? { gate } : {}),
  });
  const catalog = createCatalogClient({ http, baseUrl, clock });
  return { baseUrl: catalog.baseUrl, credentials, network, http, catalog, clock, signal };
}
