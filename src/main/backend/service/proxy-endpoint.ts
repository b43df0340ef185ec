import type { FastifyInstance } from 'fastify';
import { isJsonObject } from '#shared/stac/json.ts';
import { signedLink } from './asset-links.ts';
import { badRequest, notFound } from './http-error.ts';
import { queryParams } from './query-params.ts';
import type { ServiceContext } from './service-context.ts';

// The link is followed at once; it needn't live long.
const redirectTtlSeconds = 300;

/** Path of the proxy endpoint, beside the catalog's. */
export const assetPath = '/v1/asset';

/** `GET {asset_url}`: redirects the holder of a token to a signed link (catalog-service.md §4.7, field notes §1.11). */
export function routeProxyEndpoint(app: FastifyInstance, context: ServiceContext): void {
  app.get(assetPath, async (request, reply) => {
    const params = queryParams(request.url);
    const href = required(params, 'asset_path');
    const itemId = required(params, 'item_id');
    const collectionId = required(params, 'collection_id');
    const assetKey = required(params, 'asset');

    const asset = { collectionId, itemId, assetKey };
    const kept = context.library.item(asset)?.value;
    const named = kept && context.standard ? await context.standard.item(kept) : kept;
    const assets = named?.item['assets'];
    const stored = isJsonObject(assets) && Object.hasOwn(assets, assetKey) ? assets[assetKey] : null;
    const isNamed = isJsonObject(stored) && stored['href'] === href;
    if (!isNamed || !(await context.assets.open(asset)))
      throw notFound(`Asset ${assetKey} of ${itemId} does not exist`);

    const ttlSeconds = Math.min(redirectTtlSeconds, context.linkTtlSeconds);
    const link = signedLink(context, asset, { href, ttlSeconds });
    if (link === null) throw notFound(`Asset ${assetKey} of ${itemId} can't be addressed`);
    return reply.header('Cache-Control', 'no-store').redirect(link, 307);
  });
}

function required(params: ReadonlyMap<string, string>, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === '') throw badRequest(`${name}: this parameter is needed`);
  return value;
}
