import { isAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';

/** Body of every answer that is an error (STAC API commons: `code` required, `description` optional). */
export interface ErrorBody {
  code: string;
  description: string;
}

/** An answer that is an error: thrown by routes, sent by the error handler. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

/** 400: something in the request can't be taken. */
export function badRequest(description: string): HttpError {
  return new HttpError(400, 'InvalidParameterValue', description);
}

/** 404: no such collection, item, asset or path. */
export function notFound(description: string): HttpError {
  return new HttpError(404, 'NotFoundError', description);
}

const statusOfCode: Partial<Record<ErrorCode, number>> = {
  'input.invalid': 400,
  'stac.query-rejected': 400,
  'input.too-large': 413,
  'stac.collection-not-found': 404,
  'stac.item-not-found': 404,
  'stac.asset-not-found': 404,
};

/** Any thrown value as the answer that a client may see. What isn't the client's doing stays inside. */
export function toHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  const status = isAppError(thrown) ? statusOfCode[thrown.code] : frameworkStatus(thrown);
  const description = thrown instanceof Error ? thrown.message : '';
  if (status === 413) return new HttpError(413, 'RequestEntityTooLarge', 'The request body is too large');
  if (status === 404) return notFound(description);
  if (status === 415) return badRequest('body: it has to be JSON, with Content-Type: application/json');
  if (status !== undefined && status >= 400 && status < 500) return badRequest(description);
  return new HttpError(500, 'ServerError', 'The catalog could not answer');
}

// Fastify's own errors (malformed URL, body or content type) carry a statusCode; 415 is a malformed request here.
function frameworkStatus(thrown: unknown): number | undefined {
  const isKnown = thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number';
  return isKnown ? (thrown.statusCode as number) : undefined;
}
