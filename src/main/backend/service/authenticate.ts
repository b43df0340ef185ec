import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** Refuses every request without `Authorization: Bearer <token>` with 401 (catalog-service.md §5). */
export function requireBearerToken(app: FastifyInstance, token: string): void {
  const expected = digest(token);
  app.addHook('onRequest', async (request, reply) => {
    const presented = bearerToken(request.headers.authorization);
    // Digests have one length, so that the comparison takes one time whatever was sent.
    if (presented !== null && timingSafeEqual(digest(presented), expected)) return;
    void reply.header('WWW-Authenticate', 'Bearer');
    throw new HttpError(401, 'Unauthorized', 'A valid access token is needed: Authorization: Bearer <token>');
  });
}

// The scheme's spelling varies in the wild: `Bearer` and `bearer` (field notes §1.1).
function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
