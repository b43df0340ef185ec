import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { fitsGet, toGetParams, toPostBody } from '#shared/search/wire.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';
import { readCollection } from '#shared/stac/collection.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import { readItem, type ItemRef } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import type { HttpClient } from '../http/http-client.ts';
import { systemClock, type Clock } from '../ports.ts';
import { normalizeBaseUrl } from './base-url.ts';
import type { AssetLinks, CatalogClient } from './catalog-client.ts';
import { listCollections } from './list-collections.ts';
import { createItemPages } from './item-pages.ts';
import type { PageRequest } from './next-request.ts';
import { toStandardInterval } from './open-interval.ts';
import {
  createCatalogReader,
  describeJson,
  invalidResponse,
  toJsonObject,
  type OnStatus,
} from './read-answer.ts';
import { createWireHabits, type WireHabits } from './wire-habits.ts';

/**
 * A client of the STAC API at `baseUrl`.
 * @throws AppError `input.invalid` when the address isn't an http(s) URL
 */
export function createCatalogClient(options: {
  baseUrl: string;
  http: HttpClient;
  clock?: Clock;
  /** What earlier answers of this catalog taught; by default it is found out anew. */
  habits?: WireHabits;
}): CatalogClient {
  const { http, clock = systemClock, habits = createWireHabits() } = options;
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const reader = createCatalogReader({ baseUrl, http, clock });
  return {
    baseUrl,

    get serverAheadMs() {
      return reader.serverAheadMs;
    },

    async landingPage({ signal } = {}) {
      const notAnApi: OnStatus = (error, status) =>
        status === 404
          ? new AppError('stac.not-an-api', 'There is no catalog at this address', { details: error.details })
          : null;
      const { json } = await reader
        .read({ url: options.baseUrl.trim(), signal }, notAnApi)
        .catch((error: unknown) => {
          throw toNotAnApi(error);
        });
      if (
        isJsonObject(json) &&
        (Array.isArray(json['links']) || 'stac_version' in json || 'conformsTo' in json)
      ) {
        return json;
      }
      throw new AppError(
        'stac.not-an-api',
        `The address answers with ${describeJson(json)}, not with a STAC API`,
        {
          details: { found: describeJson(json) },
        },
      );
    },

    collections({ signal } = {}) {
      return listCollections({ reader, url: `${baseUrl}/collections`, signal });
    },

    async collection(collectionId, { signal } = {}) {
      const { json } = await readCollectionJson(collectionId, signal);
      const collection = readCollection(json);
      const isOther = collection?.['type'] === 'Feature' || collection?.['type'] === 'FeatureCollection';
      if (collection === null || isOther) throw invalidResponse('a collection', describeJson(json));
      return collection;
    },

    async queryables(collectionIds, { signal } = {}) {
      const [first, ...more] = collectionIds;
      const url =
        first === undefined
          ? `${baseUrl}/queryables`
          : more.length === 0
            ? `${collectionUrl(first)}/queryables`
            : `${baseUrl}/queryables?${toQueryString([['collections', collectionIds.join(',')]])}`;
      try {
        const { json } = await reader.read({ url, signal }, queryRejected);
        return toJsonObject(json, 'queryables');
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // A catalog needn't say what it can be asked; but perhaps it is the collection that isn't there.
        await Promise.all(collectionIds.map((collectionId) => readCollectionJson(collectionId, signal)));
        return {};
      }
    },

    items(collectionId, { limit, links = 'none' } = {}) {
      const query = limit === undefined ? '' : `?limit=${limit}`;
      const first: PageRequest = {
        url: `${collectionUrl(collectionId)}/items${query}`,
        method: 'GET',
        headers: headersFor(links),
      };
      return createItemPages({ reader, first, onStatus: noCollection(collectionId), collectionId });
    },

    search(query, { method = 'post', links = 'none', resumeFrom } = {}) {
      const headers = headersFor(links);
      const asked = toSentQuery(query);
      const standard = toStandardInterval(asked);
      const sent = standard !== null && habits.has('standard-interval') ? standard : asked;
      const sentBy = method === 'post' && habits.has('get-only') && fitsGet(sent) ? 'get' : method;
      const [onlyCollection, ...others] = query.collections ?? [];
      return createItemPages({
        reader,
        first: searchRequest(sent, sentBy, headers),
        resumeFrom,
        onStatus: queryRejected,
        collectionId: others.length === 0 ? onlyCollection : undefined,
        alternative(error) {
          if (error.code === 'stac.query-rejected' && standard !== null && sent !== standard) {
            const request = searchRequest(standard, sentBy, headers);
            return { request, onUsed: () => habits.learn('standard-interval') };
          }
          const isPostUnknown =
            sentBy === 'post' && [404, 405, 501].includes(Number(error.details['status']));
          if (!isPostUnknown || !fitsGet(sent)) return null;
          return { request: searchRequest(sent, 'get', headers), onUsed: () => habits.learn('get-only') };
        },
      });
    },

    async item(ref, { signal, links = 'none' } = {}) {
      const { collectionId, itemId } = ref;
      const url = `${collectionUrl(collectionId)}/items/${toSegment(itemId)}`;
      const { json } = await reader.read({ url, headers: headersFor(links), signal }, (error, status) =>
        status === 404
          ? new AppError('stac.item-not-found', `There is no item ${itemId} in ${collectionId}`, {
              details: { ...error.details, collectionId, itemId },
            })
          : null,
      );
      const reading = readItem(json, { collectionId });
      const isFeature = isJsonObject(json) && (json['type'] === 'Feature' || json['type'] === undefined);
      if ('reason' in reading || !isFeature) throw invalidResponse('an item', describeJson(json));
      // Whatever is done with another one is done in the wrong name.
      if (toItemKey(reading.ref) !== toItemKey(ref))
        throw invalidResponse(nameItem(ref), nameItem(reading.ref));
      return reading;
    },
  };

  function readCollectionJson(collectionId: string, signal: AbortSignal | undefined) {
    return reader.read({ url: collectionUrl(collectionId), signal }, noCollection(collectionId));
  }

  function collectionUrl(collectionId: string): string {
    return `${baseUrl}/collections/${toSegment(collectionId)}`;
  }

  function searchRequest(
    query: SearchQuery,
    method: 'get' | 'post',
    headers: Record<string, string>,
  ): PageRequest {
    const url = `${baseUrl}/search`;
    if (method === 'post') return { url, method: 'POST', headers, json: toPostBody(query) };
    const queryString = toQueryString(toGetParams(query));
    return { url: queryString === '' ? url : `${url}?${queryString}`, method: 'GET', headers };
  }
}

const assetLinkHeaders: Record<AssetLinks, Record<string, string>> = {
  none: {},
  signed: { 'x-signed-asset-urls': 'true' },
  proxy: { 'x-proxy-asset-urls': 'true' },
};

function headersFor(links: AssetLinks): Record<string, string> {
  return assetLinkHeaders[links];
}

// A comma, colon or slash is legal in a query and easier to read; "+" must be escaped, or it arrives as a space.
function toQueryString(params: readonly (readonly [name: string, value: string])[]): string {
  const escape = (value: string) => encodeURIComponent(value).replace(/%(?:2C|3A|2F)/g, decodeURIComponent);
  return params.map(([name, value]) => `${name}=${escape(value)}`).join('&');
}

// Dots alone would lead out of the place that is asked for, however they are escaped (WHATWG URL §4.4).
function toSegment(id: string): string {
  if (!/^\.{1,2}$/.test(id)) return encodeURIComponent(id);
  const why = 'an id of dots alone can’t be asked for';
  throw new AppError('input.invalid', `There is no way to “${id}”: ${why}`, {
    details: { field: 'id', why },
  });
}

function nameItem({ collectionId, itemId }: ItemRef): string {
  return `item ${itemId.slice(0, 100)} of ${collectionId.slice(0, 100)}`;
}

function isNotFound(error: unknown): boolean {
  return isAppError(error, 'http.unexpected-status') && error.details['status'] === 404;
}

function noCollection(collectionId: string): OnStatus {
  return (error, status) =>
    status === 404
      ? new AppError('stac.collection-not-found', `There is no collection ${collectionId}`, {
          details: { ...error.details, collectionId },
        })
      : queryRejected(error, status);
}

// 422 is what FastAPI answers to a malformed parameter.
const queryRejected: OnStatus = (error, status) =>
  status === 400 || status === 422
    ? new AppError('stac.query-rejected', `The catalog rejects the query: ${reasonOf(error)}`, {
        details: { ...error.details, reason: reasonOf(error) },
      })
    : null;

function reasonOf(error: AppError): string {
  const { reason, status } = error.details;
  return typeof reason === 'string' ? reason : `status ${String(status)}, without a reason`;
}

function toNotAnApi(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'stac.invalid-response' || error.retryable) return error;
  return new AppError('stac.not-an-api', error.message, { details: error.details, cause: error });
}
