import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { routeCollections } from './collections.ts';
import { limitConcurrency } from './concurrency-limit.ts';
import { HttpError, notFound, toHttpError, type ErrorBody } from './http-error.ts';
import { routeItems } from './items.ts';
import { routeLandingPage } from './landing-page.ts';
import { routeDescription } from './service-description.ts';
import { routeProxyEndpoint } from './proxy-endpoint.ts';
import { routeQueryables } from './queryables.ts';
import type { ServiceContext } from './service-context.ts';

/** Path of the catalog's base address. */
export const catalogPath = '/v1/stac';

// Room for the outline of a country in `intersects`.
const maxBodyBytes = 4 * 1024 * 1024;

/** The catalog and its proxy endpoint, ready to listen. Every answer that is not a file is JSON. */
export async function createCatalogServer(
  context: ServiceContext,
  options: {
    /** Requests at once; more get 429. */
    maxConcurrent: number;
    /** Adds the hooks that decide who is let in; an error thrown there is answered as any other. */
    guard: (app: FastifyInstance) => void;
    /** Routes beside the catalog's. */
    routeMore?: (app: FastifyInstance) => void;
  },
): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    // A request that never ends would keep its place among those at once.
    requestTimeout: 60_000,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Item ids grow long, and escaped they are three times as long.
      maxParamLength: 4096,
    },
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      const { status, code, message } = toHttpError(error);
      void reply.code(status).send(errorBody(code, message));
    },
  });
  // A text body is as wrong as any other that is not JSON.
  app.removeContentTypeParser('text/plain');
  options.guard(app);
  limitConcurrency(app, options.maxConcurrent);

  app.setErrorHandler((error, _request, reply) => {
    const { status, code, message } = toHttpError(error);
    void reply.code(status).type('application/json').send(errorBody(code, message));
  });
  refuseUnknown(app);

  await app.register(
    (catalog) => {
      for (const route of [routeLandingPage, routeDescription, routeCollections, routeItems, routeQueryables])
        route(catalog, context);
      return Promise.resolve();
    },
    { prefix: catalogPath },
  );
  routeProxyEndpoint(app, context);
  options.routeMore?.(app);
  return app;
}

// A path that exists answers other methods with 405 and names those it takes (RFC 9110 §15.5.6).
function refuseUnknown(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) throw notFound(`Nothing is at ${path}`);
    void reply.header('Allow', [...new Set(methods)].join(', '));
    throw new HttpError(405, 'MethodNotAllowed', `${request.method} is not a method of ${path}`);
  });
}

function errorBody(code: string, description: string): ErrorBody {
  return { code, description };
}
