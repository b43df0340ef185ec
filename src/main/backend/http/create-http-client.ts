import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../ports.ts';
import { createCallToken, isCatalogHop, withoutToken, type CallToken } from './call-token.ts';
import { sendExchange, type Exchange } from './exchange.ts';
import type { Credentials, HttpAnswer, HttpClient, HttpRequest, HttpStream } from './http-client.ts';
import { isConnectionReset, toNetworkError } from './network-error.ts';
import type { Network } from './network/network.ts';
import { readBody } from './read-body.ts';
import { redactUrl } from './redact-url.ts';
import { nameIssuer } from './name-issuer.ts';
import { nextHop, type Hop } from './redirect.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { isHoldingStatus, isRetriedStatus, nextDelayMs, retryAfterMs } from './retry.ts';
import { waitForTimer, type Wait } from './wait.ts';

const defaultMaxBodyBytes = 64 * 1024 * 1024;
const idleTimeoutMs = 60_000;

/** What the HTTP client is made of. */
export interface HttpClientOptions {
  /** Null: no catalog, so no request carries a token. */
  credentials: Credentials | null;
  clock: Clock;
  logger: Logger;
  /** The way to all servers; straight there without one. */
  network?: Network;
  /** The gate of the account; without one the client has its own. */
  gate?: RequestGate;
  /** How many requests the client's own gate lets through at once; 30 unless told. */
  maxCatalogRequests?: number;
  /** In [0, 1); spreads retries. */
  random?: () => number;
  /** Waits between retries; rejects when the signal aborts. */
  wait?: Wait;
  /** Breaks all requests off, also those that are shared and belong to no caller: the program ends. */
  ending?: AbortSignal | undefined;
}

type WholeRequest = HttpRequest & { maxBodyBytes?: number };

/** The one HTTP client of the backend, over got. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { credentials, clock, logger, network, ending, random = Math.random, wait = waitForTimer } = options;
  const gate = options.gate ?? createOwnGate(options);

  function withEnding<Asked extends HttpRequest>(request: Asked): Asked {
    if (ending === undefined) return request;
    return { ...request, signal: AbortSignal.any(request.signal ? [request.signal, ending] : [ending]) };
  }

  async function send(asked: WholeRequest): Promise<HttpAnswer> {
    const request = withEnding(asked);
    const token = createCallToken(credentials, request);
    let hop: Hop = toFirstHop(request);
    for (;;) {
      const answer = await sendWithRetries(request, { hop, token });
      const next = nextHop(hop, answer);
      if (next === null) return answer;
      hop = next;
    }
  }

  async function sendWithRetries(
    request: WholeRequest,
    { hop, token }: { hop: Hop; token: CallToken },
  ): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptOnce(request, { hop, token }).catch((error: unknown) =>
        toRetryable(error, hop.url),
      );
      const isError = outcome instanceof AppError;
      const isHeld = !isError && holdGate(request, { ...outcome, url: hop.url });
      if (!isError && !isRetriedStatus(outcome.status)) return outcome;
      const delayMs = nextDelayMs({
        attempt,
        random: random(),
        retryAfterMs: isError ? null : retryAfterMs(outcome.headers, clock.now()),
      });
      if (delayMs === null) {
        if (isError) throw outcome;
        return outcome;
      }
      const why = isError ? outcome.code : outcome.status;
      logger.info('http.retry', { url: redactUrl(hop.url), why, attempt: attempt + 1, delayMs });
      // A held gate makes the next attempt wait, together with all others.
      if (isHeld) continue;
      await wait(delayMs, request.signal).catch((error: unknown) => {
        throw toNetworkError(error, hop.url);
      });
    }
  }

  async function attemptOnce(
    request: WholeRequest,
    { hop, token }: { hop: Hop; token: CallToken },
  ): Promise<HttpAnswer> {
    return withSlot(request, async () => {
      for (;;) {
        const sent = await token.headersFor(hop);
        const { status, headers, body } = await exchange({
          ...hop,
          headers: sent,
          decompress: true,
          idleTimeoutMs,
          signal: request.signal,
          network,
        });
        const bytes = await readBody(body, request.maxBodyBytes ?? defaultMaxBodyBytes).catch(
          (error: unknown) => {
            throw toBodyError(error, hop.url, request.signal);
          },
        );
        if (await token.renewAfter(status, sent)) continue;
        return { status, headers, body: withoutToken({ status, body: bytes }, sent), url: hop.url };
      }
    });
  }

  async function open(asked: HttpRequest): Promise<HttpStream> {
    const request = withEnding(asked);
    const token = createCallToken(credentials, request);
    const hop = toFirstHop(request);
    return withSlot(request, async () => {
      for (;;) {
        const headers = await token.headersFor(hop);
        const answer = await exchange({
          ...hop,
          headers,
          decompress: false,
          idleTimeoutMs: null,
          signal: request.signal,
          network,
        });
        const canRepeat = await token.renewAfter(answer.status, headers).catch((error: unknown) => {
          answer.body.destroy();
          throw error;
        });
        if (!canRepeat) {
          holdGate(request, { ...answer, url: hop.url });
          return answer;
        }
        answer.body.destroy();
      }
    });
  }

  function exchange(request: Exchange): Promise<HttpStream> {
    return sendExchange(request).catch(async (thrown: unknown) => {
      throw await nameIssuer(thrown, request);
    });
  }

  // Only the catalog may slow its account down; a storage or a redirect's target speaks for itself.
  function holdGate(
    { auth }: HttpRequest,
    { status, headers, url }: Pick<HttpAnswer, 'status' | 'headers' | 'url'>,
  ): boolean {
    if (!isHoldingStatus(status) || !isCatalogHop(credentials, { auth, url })) return false;
    const delayMs = retryAfterMs(headers, clock.now()) ?? 0;
    gate.hold(delayMs);
    return delayMs > 0;
  }

  function withSlot<Result>({ auth, signal }: HttpRequest, work: () => Promise<Result>): Promise<Result> {
    return auth === 'catalog' ? gate.run(work, signal) : work();
  }

  return {
    send,
    open,
    gate,
    get activeCatalogRequests() {
      return gate.meter.active;
    },
    onActivity: (listener) => gate.onActivity(listener),
    setMaxCatalogRequests: (count) => gate.setMaxRequests(count),
  };
}

function createOwnGate({ clock, maxCatalogRequests, wait }: HttpClientOptions): RequestGate {
  return createRequestGate({
    clock,
    ...(maxCatalogRequests === undefined ? {} : { maxRequests: maxCatalogRequests }),
    ...(wait === undefined ? {} : { wait }),
  });
}

// A caller's own Authorization or Cookie would go to whoever the URL names.
const callersMayNotSet = new Set(['authorization', 'cookie', 'host', 'proxy-authorization']);

function toFirstHop(request: HttpRequest): Hop {
  if (!URL.canParse(request.url) || !/^https?:$/.test(new URL(request.url).protocol)) {
    throw new AppError('input.invalid', 'Only http and https URLs can be requested', {
      details: { field: 'url', why: 'it is not an http or https URL' },
    });
  }
  const headers: Record<string, string> = { 'user-agent': 'Swath' };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!callersMayNotSet.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  const method = request.method ?? 'GET';
  if (request.json === undefined) return { url: request.url, method, headers, redirects: 0 };
  headers['content-type'] = 'application/json';
  return { url: request.url, method, headers, body: JSON.stringify(request.json), redirects: 0 };
}

// Passes on what another attempt may mend; throws the rest.
function toRetryable(error: unknown, url: string): AppError {
  const appError = toNetworkError(error, url);
  if (appError.details['isBodyBroken'] === true || isConnectionReset(appError.cause)) return appError;
  throw appError;
}

function toBodyError(error: unknown, url: string, signal: AbortSignal | undefined): AppError {
  if (signal?.aborted) return new AppError('cancelled', 'The request was cancelled');
  const appError = toNetworkError(error, url);
  if (!isAppError(appError, 'network.offline')) return appError;
  const { code, message, details } = appError;
  return new AppError(code, `${message} (the answer broke off)`, {
    details: { ...details, isBodyBroken: true },
    retryable: true,
    cause: error,
  });
}
