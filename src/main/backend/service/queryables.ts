import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { allCollections, findCollection } from './find-collections.ts';
import { queryParams } from './query-params.ts';
import { catalogUrl, type ServiceContext } from './service-context.ts';

/** `GET /queryables`, with and without `collections`, and `GET /collections/<collection_id>/queryables`. */
export function routeQueryables(app: FastifyInstance, context: ServiceContext): void {
  app.get('/queryables', (request, reply) => {
    const params = queryParams(request.url);
    // The service's prose once calls the parameter collectionId (catalog-service.md §4.5, rule 4).
    const list = params.get('collections') ?? params.get('collectionId') ?? '';
    const ids = list.split(',').map((id) => id.trim());
    return reply
      .type(schemaType)
      .send(answerQueryables(context, [...new Set(ids.filter((id) => id !== ''))]));
  });
  app.get<{ Params: { collectionId: string } }>('/collections/:collectionId/queryables', (request, reply) =>
    reply.type(schemaType).send(answerQueryables(context, [request.params.collectionId])),
  );
}

const schemaType = 'application/schema+json';

function answerQueryables(context: ServiceContext, ids: readonly string[]): JsonObject {
  for (const id of ids) findCollection(context, id);
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    // Without the collection, as on the real service (field notes §1.7).
    $id: catalogUrl(context, 'queryables'),
    type: 'object',
    title: 'Queryables for STAC API',
    description: 'Queryable names for the STAC API Item Search using Query Extension.',
    properties: propertiesFor(context, ids),
  };
}

// An answer kept for just these collections is the catalog's own word; otherwise what all of them have in common.
function propertiesFor(context: ServiceContext, ids: readonly string[]): JsonObject {
  const kept = keptProperties(context, ids);
  if (kept || ids.length === 1) return kept ?? {};
  const asked = ids.length > 0 ? ids : allCollections(context).map(({ id }) => id);
  const [first = {}, ...others] = asked.map((id) => keptProperties(context, [id]) ?? {});
  const common = Object.entries(first).filter(([name, schema]) =>
    others.every((other) => Object.hasOwn(other, name) && isSameDatatype(other[name], schema)),
  );
  return Object.fromEntries(common);
}

function keptProperties(context: ServiceContext, ids: readonly string[]): JsonObject | null {
  const answer = context.library.queryables(ids)?.value;
  return answer && isJsonObject(answer['properties']) ? answer['properties'] : null;
}

// A property that is a number here and a text there has no datatype that a query over both could use.
function isSameDatatype(a: unknown, b: unknown): boolean {
  return (
    isJsonObject(a) &&
    isJsonObject(b) &&
    isDeepStrictEqual([a['type'], a['format']], [b['type'], b['format']])
  );
}
