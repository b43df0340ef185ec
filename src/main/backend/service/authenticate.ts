import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

/** Who is let in. */
export interface TokenRule {
  token: string;
  /**
   * Whether HTTP Basic with the token as password (and any user name) does too, for browsers and programs that can't
   * set a header.
   */
  isBasicTaken: boolean;
  /** Requests that need no token because they carry their own permission. */
  hasPermission?: (request: FastifyRequest) => boolean;
}

/** Refuses every request without `Authorization: Bearer <token>` with 401 (catalog-service.md §5). */
export function requireToken(app: FastifyInstance, rule: TokenRule): void {
  const expected = digest(rule.token);
  app.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers;
    const presented = bearerToken(authorization) ?? (rule.isBasicTaken ? basicPassword(authorization) : null);
    // Digests have one length, so that the comparison takes one time whatever was sent.
    if (presented !== null && timingSafeEqual(digest(presented), expected)) return;
    if (authorization === undefined && rule.hasPermission?.(request)) return;
    const challenges = ['Bearer', ...(rule.isBasicTaken ? ['Basic realm="Swath", charset="UTF-8"'] : [])];
    void reply.header('WWW-Authenticate', challenges.join(', '));
    throw new HttpError(401, 'Unauthorized', 'A valid access token is needed: Authorization: Bearer <token>');
  });
}

// The scheme's spelling varies in the wild: `Bearer` and `bearer` (field notes §1.1).
function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function basicPassword(header: string | undefined): string | null {
  const encoded = /^basic +([a-z0-9+/=]+) *$/i.exec(header ?? '')?.[1];
  return encoded === undefined
    ? null
    : Buffer.from(encoded, 'base64')
        .toString()
        .replace(/^[^:]*:/, '');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
