import type { CheckStepData } from '#shared/connection/check-step.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { Credentials, HttpClient } from '../http/http-client.ts';
import type { Network } from '../http/network/network.ts';
import type { ServerFacts } from '../http/probe-server.ts';
import type { Clock } from '../ports.ts';

/** What the steps of a check work with. */
export interface CheckContext {
  baseUrl: string;
  credentials: Credentials | null;
  network: Network | undefined;
  http: HttpClient;
  catalog: CatalogClient;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** How one step went. */
export interface Finding {
  state: CheckStepData['state'];
  detail: string;
  error?: AppError;
}

/** What earlier steps found out for later ones. */
export interface Findings {
  /** The server, or why there is no way to it. */
  reach: ServerFacts | AppError | null;
  /** The answer to the first question with a token. */
  collections: StacCollection[] | AppError | null;
  /** Why nothing can be asked of the catalog; null when it can. */
  blocked: string | null;
  /** An item to try links on. */
  item: ItemRef | null;
}

/** A step that can't be tried. */
export function skipped(detail: string): Finding {
  return { state: 'skipped', detail };
}

/** Measures work in words: "in 84 ms". */
export async function timed<Value>(clock: Clock, work: Promise<Value>): Promise<[Value, string]> {
  const startedMs = clock.now();
  const value = await work;
  return [value, inMs(clock.now() - startedMs)];
}

/** A duration in words. */
export function inMs(elapsedMs: number): string {
  return `in ${Math.max(0, Math.round(elapsedMs))} ms`;
}
