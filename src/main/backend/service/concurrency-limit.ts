import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** Refuses requests above `maxConcurrent` at once with 429 (field notes §1.10); a request counts until its answer has ended. */
export function limitConcurrency(app: FastifyInstance, maxConcurrent: number): void {
  let active = 0;
  app.addHook('onRequest', async (_request, reply) => {
    if (active >= maxConcurrent) {
      void reply.header('Retry-After', '1');
      throw new HttpError(429, 'TooManyRequests', `No more than ${maxConcurrent} requests at once`);
    }
    active += 1;
    // `close` comes after the last byte and also when the client goes away.
    reply.raw.once('close', () => {
      active -= 1;
    });
    // Quick answers are made one after the other: without this turn, those that come together would never be counted
    // together.
    await setImmediate();
  });
}
