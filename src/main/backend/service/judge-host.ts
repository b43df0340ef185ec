import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses what comes from a web page of somebody else. A foreign name that resolves to this computer (DNS rebinding)
 * shows in Host, and is looked for on loopback only: elsewhere a computer has names that it doesn't know of, and there
 * the token is always asked for. A foreign page shows in Origin and in Sec-Fetch-Site.
 */
export function refuseForeignPages(app: FastifyInstance, { isLoopback }: { isLoopback: boolean }): void {
  app.addHook('onRequest', async (request) => {
    const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (isLoopback && !loopbackNames.includes(name)) {
      throw new HttpError(421, 'MisdirectedRequest', 'The Host header names another server');
    }
    const isFromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
    const isForeign = (origin !== undefined && origin !== `http://${host}`) || isFromElsewhere;
    // Somebody who follows a link to here reads the answer; the page with the link doesn't.
    if (isForeign && mode !== 'navigate') {
      throw new HttpError(403, 'Forbidden', 'Pages of other sites are not answered');
    }
    return Promise.resolve();
  });
}
