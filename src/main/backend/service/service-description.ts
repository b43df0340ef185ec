import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './service-context.ts';

/** Media type of the service's description, to which the landing page links as `service-desc`. */
export const descriptionType = 'application/vnd.oai.openapi+json;version=3.0';

/** `GET /api`: the service in OpenAPI 3.0, which STAC API asks of every landing page. */
export function routeDescription(app: FastifyInstance, context: ServiceContext): void {
  app.get('/api', (_request, reply) => reply.type(descriptionType).send(describe(context)));
}

function describe(context: ServiceContext): object {
  const isStandard = context.standard !== null;
  const paging = [parameter('limit', integer), parameter('token', text)];
  const where = [parameter('bbox', text), parameter('datetime', text)];
  const search = [
    ...paging,
    ...where,
    ...(isStandard ? [parameter('intersects', text)] : []),
    ...['collections', 'ids', 'fields', 'sortby'].map((name) => parameter(name, text)),
  ];
  const collection = pathParameter('collectionId');
  return {
    openapi: '3.0.3',
    info: { title: context.title, description: context.description, version: '1.0.0' },
    servers: [{ url: context.baseUrl() }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/': { get: operation('Landing page') },
      '/conformance': { get: operation('Conformance classes') },
      '/collections': { get: operation('All collections') },
      '/collections/{collectionId}': { get: operation('A collection', [collection]) },
      '/collections/{collectionId}/items': {
        get: operation('Items of a collection', [collection, ...paging, ...(isStandard ? where : [])]),
      },
      '/collections/{collectionId}/items/{itemId}': {
        get: operation('An item', [collection, pathParameter('itemId')]),
      },
      '/collections/{collectionId}/queryables': {
        get: operation('What a query can name', [collection]),
      },
      '/queryables': { get: operation('What a query can name', [parameter('collections', text)]) },
      '/search': {
        get: operation('Search with parameters', search),
        post: {
          ...operation('Search with a JSON body'),
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  };
}

const text = { type: 'string' };
const integer = { type: 'integer', minimum: 1 };

function operation(summary: string, parameters: readonly object[] = []): object {
  return {
    summary,
    parameters,
    responses: {
      '200': { description: summary },
      default: { description: 'An error: code and description' },
    },
  };
}

function parameter(name: string, schema: object): object {
  return { name, in: 'query', required: false, schema };
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: text };
}
