import type { FastifyInstance } from 'fastify';
import type { StacCollection } from '#shared/stac/collection.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { allCollections, findCollection } from './find-collections.ts';
import { geoJsonType } from './item-answer.ts';
import { queryablesRelation } from './landing-page.ts';
import { catalogUrl, type ServiceContext } from './service-context.ts';

const ownRelations = ['self', 'root', 'parent', 'items', 'queryables', queryablesRelation];

/** `GET /collections` and `GET /collections/<collection_id>`. */
export function routeCollections(app: FastifyInstance, context: ServiceContext): void {
  app.get('/collections', () => ({
    collections: allCollections(context).map((collection) => answerCollection(context, collection)),
    links: [
      { rel: 'self', type: 'application/json', href: catalogUrl(context, 'collections') },
      { rel: 'root', type: 'application/json', href: context.baseUrl() },
    ],
  }));
  app.get<{ Params: { collectionId: string } }>('/collections/:collectionId', (request) =>
    Promise.resolve(answerCollection(context, findCollection(context, request.params.collectionId))),
  );
}

function answerCollection(context: ServiceContext, collection: StacCollection): object {
  const stored: unknown[] = Array.isArray(collection['links']) ? collection['links'] : [];
  const self = catalogUrl(context, 'collections', collection.id);
  return {
    ...collection,
    links: [
      { rel: 'self', type: 'application/json', href: self },
      { rel: 'parent', type: 'application/json', href: context.baseUrl() },
      { rel: 'root', type: 'application/json', href: context.baseUrl() },
      { rel: 'items', type: geoJsonType, href: `${self}/items` },
      { rel: queryablesRelation, type: 'application/schema+json', href: `${self}/queryables` },
      ...stored.filter((link) => isJsonObject(link) && !ownRelations.includes(String(link['rel']))),
    ],
  };
}
