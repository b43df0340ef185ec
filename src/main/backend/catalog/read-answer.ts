import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../http/http-client.ts';
import { readProblem, toStatusError } from '../http/problem.ts';
import { serverNowMs } from '../http/retry.ts';
import type { Clock } from '../ports.ts';

/** Sends catalog requests and reads their answers as JSON. */
export interface CatalogReader {
  /**
   * The parsed answer of a 2xx status and where it came from. `onStatus` may turn a status into a more telling error.
   * Errors of a request to another origin than the catalog's have `details.isElsewhere`.
   * @throws AppError `stac.invalid-response`, and those of `HttpClient.send` and `toStatusError`
   */
  read(request: Omit<HttpRequest, 'auth'>, onStatus?: OnStatus): Promise<{ json: unknown; url: string }>;
  /** Milliseconds by which the catalog's clock was ahead of ours at its last answer; null before one said. */
  readonly serverAheadMs: number | null;
}

/** A more telling error for a status, or null for the usual one. */
export type OnStatus = (error: AppError, status: number) => AppError | null;

/** Reads answers of the catalog at `baseUrl`. */
export function createCatalogReader(options: {
  baseUrl: string;
  http: HttpClient;
  clock: Clock;
}): CatalogReader {
  const { http, clock } = options;
  const { origin } = new URL(options.baseUrl);
  let serverAheadMs: number | null = null;
  return {
    get serverAheadMs() {
      return serverAheadMs;
    },
    async read(request, onStatus) {
      const answer = await send(http, request).catch((error: unknown) => {
        throw markElsewhere(error, request.url);
      });
      const serverMs = new URL(answer.url).origin === origin ? serverNowMs(answer.headers) : null;
      if (serverMs !== null) serverAheadMs = serverMs - clock.now();
      if (answer.status < 200 || answer.status > 299) {
        const error = toStatusError(answer, clock.now());
        if (new URL(answer.url).origin !== origin) {
          throw markElsewhere(toErrorElsewhere(error, answer.url), request.url);
        }
        throw onStatus?.(error, answer.status) ?? error;
      }
      return { json: parseAnswer(answer), url: answer.url };
    },
  };

  // Next links lead to other servers, whose troubles say nothing about the catalog.
  function markElsewhere(error: unknown, url: string): unknown {
    if (!isAppError(error) || new URL(url).origin === origin) return error;
    const { code, message, details, retryable, cause } = error;
    return new AppError(code, message, { details: { ...details, isElsewhere: true }, retryable, cause });
  }
}

// A redirect or a next link led there. Whoever reads of a missing token would look for the fault in their own.
function toErrorElsewhere(error: AppError, url: string): AppError {
  if (error.code !== 'auth.required' && error.code !== 'auth.forbidden') return error;
  const { origin } = new URL(url);
  const message = `The catalog leads to ${origin}, which refuses access: the token is sent to the catalog's own address only`;
  return new AppError(error.code, message, { details: { ...error.details, origin } });
}

/**
 * The answer as a JSON object.
 * @throws AppError `stac.invalid-response`
 */
export function toJsonObject(json: unknown, expected: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw invalidResponse(expected, describeJson(json));
}

/** An answer that is no STAC: what was expected, and what came. */
export function invalidResponse(expected: string, found: string, cause?: unknown): AppError {
  return new AppError(
    'stac.invalid-response',
    `The catalog answered with ${found} where ${expected} was expected`,
    {
      details: { expected, found },
      cause,
    },
  );
}

/** What a parsed JSON value is, in a few words. */
export function describeJson(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'a JSON array';
  if (!isJsonObject(json)) return `a JSON ${typeof json}`;
  const { type } = json;
  if (typeof type === 'string') return `a JSON object of type ${type.slice(0, 40)}`;
  const members = Object.keys(json).slice(0, 5).join(', ').slice(0, 100);
  return members === '' ? 'an empty JSON object' : `a JSON object with ${members}`;
}

async function send(http: HttpClient, request: Omit<HttpRequest, 'auth'>): Promise<HttpAnswer> {
  const accept = 'application/geo+json, application/json;q=0.9, */*;q=0.1';
  try {
    return await http.send({ ...request, headers: { accept, ...request.headers }, auth: 'catalog' });
  } catch (error) {
    if (!isAppError(error) || error.details['isBodyBroken'] !== true) throw error;
    throw new AppError('stac.invalid-response', 'The answer of the catalog broke off', {
      details: { expected: 'a JSON answer', found: 'an answer that broke off' },
      retryable: true,
      cause: error,
    });
  }
}

function parseAnswer(answer: HttpAnswer): unknown {
  const text = answer.body.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw invalidResponse('a JSON answer', describeText(text, answer), error);
  }
}

function describeText(text: string, answer: HttpAnswer): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'an empty answer';
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return 'JSON that is cut off or malformed';
  const { sentence } = readProblem(answer);
  const kind = /^<(?:!doctype html|html)/i.test(trimmed)
    ? 'a web page'
    : trimmed.startsWith('<')
      ? 'XML'
      : 'text';
  return sentence === null ? kind : `${kind} ("${sentence.slice(0, 80)}")`;
}
