import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { readOfferedLinks } from './asset-links.ts';
import { findCollection } from './find-collections.ts';
import { notFound } from './http-error.ts';
import { answerItem, answerItems, geoJsonType } from './item-answer.ts';
import { queryParams, withParam } from './query-params.ts';
import {
  readGetSearch,
  readItemListRequest,
  readPostSearch,
  readStandardGetSearch,
  type PageRequest,
} from './search-request.ts';
import { catalogUrl, type ServiceContext } from './service-context.ts';

// Looking at one Item to count it takes 40 µs: this many keep the first page within 0.2 s. A search that would need
// more gives no total.
const maxCounted = 5000;

/** Items of a collection, one Item, and both forms of search. */
export function routeItems(app: FastifyInstance, context: ServiceContext): void {
  app.get<{ Params: { collectionId: string } }>(
    '/collections/:collectionId/items',
    async (request, reply) => {
      const { collectionId } = request.params;
      findCollection(context, collectionId);
      const page = readItemListRequest(collectionId, queryParams(request.url), {
        isStandard: context.standard !== null,
      });
      const self = catalogUrl(context, 'collections', collectionId, 'items');
      return sendPage(context, reply, {
        page,
        headers: request.headers,
        nextLink: (token) => getLink(self + withParam(request.url, 'token', token)),
      });
    },
  );

  app.get('/search', async (request, reply) =>
    sendPage(context, reply, {
      page: (context.standard ? readStandardGetSearch : readGetSearch)(queryParams(request.url)),
      headers: request.headers,
      nextLink: (token) => getLink(catalogUrl(context, 'search') + withParam(request.url, 'token', token)),
    }),
  );

  app.post('/search', async (request, reply) =>
    sendPage(context, reply, {
      page: readPostSearch(request.body),
      headers: request.headers,
      nextLink: (token) => postLink(catalogUrl(context, 'search'), token),
    }),
  );

  app.get<{ Params: { collectionId: string; itemId: string } }>(
    '/collections/:collectionId/items/:itemId',
    async (request, reply) => {
      const { collectionId, itemId } = request.params;
      findCollection(context, collectionId);
      const kept = context.library.item({ collectionId, itemId });
      if (!kept) throw notFound(`Item ${itemId} in collection ${collectionId} does not exist`);
      const links = readOfferedLinks(request.headers, 'signed');
      const answer = await answerItem(context, kept.value, { links, fields: null, areFileFactsWanted: true });
      return reply.type(geoJsonType).send(answer);
    },
  );
}

interface PageAnswer {
  page: PageRequest;
  headers: IncomingHttpHeaders;
  nextLink: (token: string) => object;
}

async function sendPage(
  context: ServiceContext,
  reply: FastifyReply,
  { page, headers, nextLink }: PageAnswer,
): Promise<FastifyReply> {
  const { library, pageTokens } = context;
  const { query, limit, fields, token } = page;
  const mark = token === null ? null : pageTokens.read(token, query);
  const found = await library.engine.search(query, { limit, after: mark?.position ?? null });
  const matched = mark ? mark.matched : await library.engine.count(query, { maxCandidates: maxCounted });
  const features = await answerItems(context, found.items, {
    links: readOfferedLinks(headers, 'none'),
    fields,
    areFileFactsWanted: false,
  });
  const next = found.next && pageTokens.write({ position: found.next, matched }, query);
  const root = { rel: 'root', type: 'application/json', href: context.baseUrl() };
  return reply.type(geoJsonType).send({
    type: 'FeatureCollection',
    features,
    links: [root, ...(next === null ? [] : [nextLink(next)])],
    ...(matched === null ? {} : { numberMatched: matched }),
    numberReturned: features.length,
  });
}

function getLink(href: string): object {
  return { rel: 'next', type: geoJsonType, method: 'GET', href };
}

function postLink(href: string, token: string): object {
  return { rel: 'next', type: geoJsonType, method: 'POST', href, body: { token }, merge: true };
}
