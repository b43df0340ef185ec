import { describe, expect, it } from 'vitest';
import { assetsOf } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { failureOf } from '../http/testing/failure-of.ts';
import { serve } from '../http/testing/serve.ts';
import { silentLogger } from '../ports.ts';
import {
  isFetchable,
  isProxyLink,
  linkTargetsOf,
  siblingAssetUrl,
  type CatalogPlace,
} from './link-targets.ts';
import { mintProxyLink } from './mint-proxy-link.ts';

function placeOf(baseUrl: string): CatalogPlace {
  return { baseUrl, assetUrl: siblingAssetUrl(baseUrl) };
}

const service = placeOf('https://api.example/platform/v1/stac');

it('an asset whose address is empty is not the Item itself', () => {
  const item = { type: 'Feature', id: 'scene', assets: { B04: { href: '' } } } as unknown as StacItem;
  const [asset] = assetsOf(item);
  expect(asset && linkTargetsOf(asset, item, service)).toEqual([]);
});

describe('what may be fetched', () => {
  it.each([
    ['https://any.example/f.tif', service.baseUrl, true],
    ['http://any.example/f.tif', service.baseUrl, false],
    ['http://127.0.0.1:9/f.tif', service.baseUrl, false],
    ['http://127.0.0.1:9/f.tif', 'http://127.0.0.1:8/v1/stac', true],
    ['http://localhost:9/f.tif', 'http://localhost:8/v1/stac', true],
    ['http://[::1]:9/f.tif', 'http://[::1]:8/v1/stac', true],
    ['http://any.example/f.tif', 'http://intranet.example/v1/stac', false],
    ['http://any.example/f.tif', 'http://127.0.0.1.example/v1/stac', false],
  ])('%s beside %s: %s', (url, baseUrl, isAllowed) => {
    expect(isFetchable(url, placeOf(baseUrl))).toBe(isAllowed);
  });

  it('is held against what the proxy redirects to', async () => {
    const proxy = await serve(() => ({
      status: 307,
      headers: { location: 'http://storage.example/f.tif?sig=s' },
    }));
    const http = createHttpClient({
      credentials: null,
      clock: { now: () => 0 },
      logger: silentLogger,
      maxCatalogRequests: 1,
    });
    const mint = mintProxyLink({ proxyUrl: proxy.origin, http, place: service, nowMs: 0, signal: undefined });
    expect(await failureOf(mint)).toMatchObject({
      code: 'link.insecure-redirect',
      details: { host: 'storage.example' },
    });
  });
});

describe('the proxy endpoint', () => {
  const path = 'asset_path=s3%3A%2F%2Fb%2Fk%3FSignature%3Dx&item_id=i&collection_id=c&asset=a';

  it.each([
    [`https://api.example/platform/v1/asset?${path}`, true],
    ['https://api.example/platform/v1/asset', true],
    [`https://api.example/elsewhere?${path}`, true],
    [`https://proxy.example/asset?${path}`, false],
    [`https://bucket.example/asset?${path}&Signature=s&Expires=1`, false],
    ['https://bucket.example/platform/v1/asset', false],
    ['https://api.example/files/f.tif', false],
  ])('%s: %s', (url, isProxy) => {
    expect(isProxyLink(url, service)).toBe(isProxy);
  });

  it('is the sibling of a catalog address that ends in stac', () => {
    expect(siblingAssetUrl('https://api.example/platform/v1/stac')).toBe(
      'https://api.example/platform/v1/asset',
    );
    expect(siblingAssetUrl('https://other.example/v1')).toBeNull();
  });
});
