import { setTimeout as setTimer } from 'node:timers/promises';
import PQueue from 'p-queue';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../ports.ts';
import { sendExchange } from './exchange.ts';
import type { Credentials, HttpAnswer, HttpClient, HttpRequest, HttpStream } from './http-client.ts';
import { isConnectionReset, toNetworkError } from './network-error.ts';
import { readBody } from './read-body.ts';
import { redactUrl } from './redact-url.ts';
import { nextHop, type Hop } from './redirect.ts';
import { isRetriedStatus, nextDelayMs, retryAfterMs } from './retry.ts';

const defaultMaxBodyBytes = 64 * 1024 * 1024;
const idleTimeoutMs = 60_000;

/** What the HTTP client is made of. */
export interface HttpClientOptions {
  /** Null: no catalog, so no request carries a token. */
  credentials: Credentials | null;
  clock: Clock;
  logger: Logger;
  maxCatalogRequests: number;
  /** In [0, 1); spreads retries. */
  random?: () => number;
  /** Waits between retries; rejects when the signal aborts. */
  wait?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** The one HTTP client of the backend, over got. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { credentials, clock, logger, random = Math.random, wait = waitForTimer } = options;
  const queue = new PQueue({ concurrency: options.maxCatalogRequests });
  const listeners = new Set<() => void>();
  let activeCatalogRequests = 0;

  async function send(request: HttpRequest & { maxBodyBytes?: number }): Promise<HttpAnswer> {
    let hop: Hop = toFirstHop(request);
    for (;;) {
      const answer = await sendWithRetries(request, hop);
      const next = nextHop(hop, answer);
      if (next === null) return answer;
      hop = next;
    }
  }

  async function sendWithRetries(
    request: HttpRequest & { maxBodyBytes?: number },
    hop: Hop,
  ): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptOnce(request, hop).catch((error: unknown) => toRetryable(error, hop.url));
      const isError = outcome instanceof AppError;
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
      await wait(delayMs, request.signal).catch((error: unknown) => {
        throw toNetworkError(error, hop.url);
      });
    }
  }

  async function attemptOnce(
    request: HttpRequest & { maxBodyBytes?: number },
    hop: Hop,
  ): Promise<HttpAnswer> {
    return withSlot(request, async () => {
      const sent = await withToken(hop, request);
      const { status, headers, body } = await sendExchange({
        ...hop,
        headers: sent,
        decompress: true,
        idleTimeoutMs,
        signal: request.signal,
      });
      const bytes = await readBody(body, request.maxBodyBytes ?? defaultMaxBodyBytes).catch(
        (error: unknown) => {
          throw toBodyError(error, hop.url, request.signal);
        },
      );
      return { status, headers, body: status < 400 ? bytes : withoutToken(bytes, sent), url: hop.url };
    });
  }

  async function open(request: HttpRequest): Promise<HttpStream> {
    const hop = toFirstHop(request);
    return withSlot(request, async () =>
      sendExchange({
        ...hop,
        headers: await withToken(hop, request),
        decompress: false,
        idleTimeoutMs: null,
        signal: request.signal,
      }),
    );
  }

  // Decided for every hop anew: the target of a redirect or of a `next` link may be another origin.
  async function withToken(hop: Hop, { auth }: HttpRequest): Promise<Record<string, string>> {
    if (auth !== 'catalog' || credentials === null) return hop.headers;
    if (new URL(hop.url).origin !== credentials.origin) return hop.headers;
    const token = await credentials.accessToken();
    return token === null ? hop.headers : { ...hop.headers, authorization: `Bearer ${token}` };
  }

  async function withSlot<Result>(
    { auth, signal }: HttpRequest,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (auth !== 'catalog') return work();
    const run = async () => {
      changeActive(1);
      try {
        return await work();
      } finally {
        changeActive(-1);
      }
    };
    try {
      return await queue.add(run, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? new AppError('cancelled', 'The request was cancelled') : error;
    }
  }

  function changeActive(step: 1 | -1): void {
    activeCatalogRequests += step;
    for (const listener of listeners) listener();
  }

  return {
    send,
    open,
    get activeCatalogRequests() {
      return activeCatalogRequests;
    },
    onActivity(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setMaxCatalogRequests(count) {
      queue.concurrency = count;
    },
  };
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

// Servers quote a refused token in their errors, which are shown, logged and kept.
function withoutToken(body: Buffer, { authorization }: Record<string, string>): Buffer {
  const token = authorization?.slice('Bearer '.length);
  if (!token || !body.includes(token)) return body;
  return Buffer.from(body.toString('latin1').replaceAll(token, '***'), 'latin1');
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

async function waitForTimer(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimer(delayMs, undefined, signal ? { signal } : {});
}
