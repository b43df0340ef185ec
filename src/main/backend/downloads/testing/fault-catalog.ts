import { signatureOf, signedAtMs } from '../../links/testing/s3-signature.ts';
import type { Clock } from '../../ports.ts';
import type { TestAsset } from './download-harness.ts';
import type { Fault, SeenRequest } from './fault.ts';
import type { FaultServer } from './fault-server.ts';

/** The account's token: only the catalog's own origin may ever see it. */
export const accountToken = 'account-token-5Kx1';

/** What signs a link: nothing that is kept may ever hold it. */
export const linkSignature = 'c2lnbmF0dXJlLTdRdw';

/** The user's own AWS account, which the storages let in as well. */
export const awsKeys = { accessKeyId: 'AKTRIAL', secretAccessKey: 'd0phbHJYVXRuRkVNSUs3TURFTkc' };

/** What S3 says of a link whose time is over. */
export const expiredXml =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';

/** A catalog of one Item whose assets lie at a storage, and what it says of them; may be changed at any time. */
export interface FaultCatalog {
  assets: Record<string, TestAsset>;
  /** Where signed links lead, and where the proxy does. */
  storage: FaultServer;
  mirror: FaultServer;
  lifeMs: number;
  /** What the clocks of all servers say. */
  now: () => number;
  token: string;
  /** Links given out so far. */
  signedCount: number;
  proxiedCount: number;
}

/**
 * Makes `api` a catalog with an asset proxy, and `storage` and `mirror` stores that let in whoever has a link whose
 * time is not over by this clock, or whatever clock the catalog is given later.
 */
export function serveCatalog(
  servers: { api: FaultServer; storage: FaultServer; mirror: FaultServer },
  assets: Record<string, TestAsset>,
  clock: Clock,
): FaultCatalog {
  const { api, storage, mirror } = servers;
  const catalog: FaultCatalog = {
    assets,
    storage,
    mirror,
    lifeMs: 12 * 3_600_000,
    now: () => clock.now(),
    token: accountToken,
    signedCount: 0,
    proxiedCount: 0,
  };
  for (const server of [api, storage, mirror]) server.now = () => catalog.now();
  for (const store of [storage, mirror]) store.route = (seen) => refuseOutsiders(store, seen, catalog.now());
  api.route = (seen) => {
    if (seen.headers.authorization !== `Bearer ${catalog.token}`) return { status: 401 };
    if (seen.path === '/v1/asset') return leadOn(seen);
    if (seen.path === '/v1/stac/item') return sendJson(toItem(seen));
    return { status: 404 };
  };

  function toItem({ headers }: SeenRequest) {
    const isProxy = headers['x-proxy-asset-urls'] === 'true';
    if (!isProxy) catalog.signedCount += 1;
    const entries = Object.entries(catalog.assets).map(([key, asset]) => {
      const path = new URL(asset.href).pathname;
      const href = isProxy ? proxyHref(path, key) : sign(catalog.storage, path);
      return [key, { ...describe(asset), alternate: { download: { href } }, ...asset.members }];
    });
    const assets = Object.fromEntries(entries) as Record<string, unknown>;
    return { type: 'Feature', stac_version: '1.0.0', id: 'scene', collection: 's2', assets };
  }

  function proxyHref(path: string, key: string): string {
    const query = new URLSearchParams({ asset_path: `s3://bucket${path}`, item_id: 'scene', asset: key });
    return `${api.origin}/v1/asset?${query.toString()}`;
  }

  function leadOn({ target }: SeenRequest): Fault {
    catalog.proxiedCount += 1;
    const path = new URL(target, api.origin).searchParams.get('asset_path')?.replace('s3://bucket', '') ?? '';
    return { status: 307, headers: { location: sign(catalog.mirror, path) } };
  }

  function sign(store: FaultServer, path: string): string {
    const expires = Math.floor((catalog.now() + catalog.lifeMs) / 1000);
    return `${store.origin}${path}?Signature=${linkSignature}&Expires=${expires}`;
  }

  return catalog;
}

function describe({ href, mediaType, sizeBytes, checksum }: TestAsset) {
  return {
    href: `s3://bucket${new URL(href).pathname}`,
    ...(mediaType == null ? {} : { type: mediaType }),
    ...(sizeBytes == null ? {} : { 'file:size': sizeBytes }),
    ...(checksum == null ? {} : { 'file:checksum': checksum }),
  };
}

function refuseOutsiders({ origin }: FaultServer, { target }: SeenRequest, nowMs: number): Fault | undefined {
  const url = new URL(target, origin);
  const { searchParams } = url;
  if (searchParams.has('X-Amz-Signature')) return refuseOtherAccounts(url, nowMs);
  if (searchParams.get('Signature') !== linkSignature) return { status: 403, body: deniedXml };
  return Number(searchParams.get('Expires')) * 1000 < nowMs ? { status: 403, body: expiredXml } : undefined;
}

// S3 takes a link a quarter of an hour before its time begins, by its own clock.
function refuseOtherAccounts(url: URL, nowMs: number): Fault | undefined {
  const { searchParams } = url;
  const sinceMs = nowMs - signedAtMs(url);
  if (sinceMs < -15 * 60_000) return { status: 403, body: skewedXml };
  if (!(sinceMs < Number(searchParams.get('X-Amz-Expires')) * 1000)) return { status: 403, body: expiredXml };
  const isOurs =
    searchParams.get('X-Amz-Signature') === signatureOf(url, { secret: awsKeys.secretAccessKey });
  return isOurs ? undefined : { status: 403, body: deniedXml };
}

const skewedXml =
  '<?xml version="1.0"?><Error><Code>RequestTimeTooSkewed</Code><Message>The difference between the request time and the current time is too large.</Message></Error>';

const deniedXml =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

function sendJson(value: unknown): Fault {
  return { status: 200, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}
