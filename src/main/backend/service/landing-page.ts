import type { FastifyInstance } from 'fastify';
import { allCollections } from './find-collections.ts';
import { geoJsonType } from './item-answer.ts';
import { descriptionType } from './service-description.ts';
import { catalogUrl, type ServiceContext } from './service-context.ts';

const stacApi = 'https://api.stacspec.org/v1.0.0';

const conformsTo = [
  `${stacApi}/core`,
  `${stacApi}/collections`,
  `${stacApi}/ogcapi-features`,
  `${stacApi}/item-search`,
  `${stacApi}/item-search#query`,
  `${stacApi}/item-search#fields`,
  `${stacApi}/item-search#sort`,
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
];

/** Relation of the link to the queryables (OGC API Features part 3). */
export const queryablesRelation = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';

/** `GET /` and `GET /conformance`. */
export function routeLandingPage(app: FastifyInstance, context: ServiceContext): void {
  app.get('/', () => landingPage(context));
  app.get('/conformance', () => ({ conformsTo }));
}

function landingPage(context: ServiceContext): object {
  const json = 'application/json';
  const search = catalogUrl(context, 'search');
  return {
    type: 'Catalog',
    stac_version: '1.0.0',
    id: 'swath',
    title: context.title,
    description: context.description,
    conformsTo,
    links: [
      { rel: 'self', type: json, href: context.baseUrl() },
      { rel: 'root', type: json, href: context.baseUrl() },
      { rel: 'service-desc', type: descriptionType, href: catalogUrl(context, 'api') },
      { rel: 'conformance', type: json, href: catalogUrl(context, 'conformance') },
      { rel: 'data', type: json, href: catalogUrl(context, 'collections') },
      { rel: 'search', type: geoJsonType, href: search, method: 'GET' },
      { rel: 'search', type: geoJsonType, href: search, method: 'POST' },
      { rel: queryablesRelation, type: 'application/schema+json', href: catalogUrl(context, 'queryables') },
      ...allCollections(context).map(({ id }) => ({
        rel: 'child',
        type: json,
        href: catalogUrl(context, 'collections', id),
      })),
    ],
  };
}
