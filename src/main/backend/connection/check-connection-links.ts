import { AppError } from '#shared/errors/app-error.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { isDirectory } from '#shared/stac/asset-availability.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { readLinkExpiry } from '../links/link-expiry.ts';
import type { ItemLinks } from '../links/linked-items.ts';
import { linkTargetsOf, siblingAssetUrl, type CatalogPlace, type LinkTarget } from '../links/link-targets.ts';
import { mintProxyLink } from '../links/mint-proxy-link.ts';
import {
  skipped,
  timed,
  type CheckContext,
  type Finding,
  type Findings,
} from './check-connection-findings.ts';

/** A link of an asset. */
interface AssetTarget extends LinkTarget {
  assetKey: string;
}

/** Whether an item comes with signed links, and storage honours one. */
export async function checkSignedLinks(context: CheckContext, { item }: Findings): Promise<Finding> {
  if (item === null) return skipped('there is no item to try');
  const targets = await linksOf(context, item, 'signed');
  const signed = targets.find(({ kind }) => kind === 'signed');
  if (signed === undefined) {
    const isPublic = targets.some(({ kind }) => kind === 'direct');
    return isPublic
      ? skipped(`the files of ${item.itemId} are public`)
      : { state: 'warned', detail: `no file of ${item.itemId} has a signed link` };
  }
  const [status, time] = await timed(context.clock, askForOneByte(context, signed.url));
  const { host } = new URL(signed.url);
  if (status !== 206 && status !== 200) {
    throw new AppError('link.refused', `${host} refuses the signed link of ${signed.assetKey}`, {
      details: { host, status, reason: `status ${status}` },
    });
  }
  const expiresAtMs = readLinkExpiry(signed.url);
  const end =
    expiresAtMs === null ? '' : `, valid until ${new Date(expiresAtMs).toISOString().slice(0, 16)}Z`;
  return { state: 'ok', detail: `${signed.assetKey} answers from ${host} ${time}${end}` };
}

/** Whether the asset proxy leads somewhere. The token goes to the proxy alone; where it leads isn't asked. */
export async function checkProxyLinks(context: CheckContext, { item }: Findings): Promise<Finding> {
  if (item === null) return skipped('there is no item to try');
  const targets = await linksOf(context, item, 'proxy');
  const proxied = targets.find(({ kind }) => kind === 'proxy');
  // Only some collections have them (field notes §1.11).
  if (proxied === undefined) return skipped(`${item.itemId} has no proxy links`);
  const { http, clock, signal } = context;
  const minting = mintProxyLink({
    proxyUrl: proxied.url,
    http,
    place: placeOf(context),
    nowMs: clock.now(),
    signal,
  });
  const [url, time] = await timed(clock, minting);
  return { state: 'ok', detail: `${proxied.assetKey} leads to ${new URL(url).host} ${time}` };
}

async function linksOf(context: CheckContext, ref: ItemRef, links: ItemLinks): Promise<AssetTarget[]> {
  const { item } = await context.catalog.item(ref, { links, signal: context.signal });
  return assetsOf(item)
    .filter((asset) => !isDirectory(asset))
    .flatMap((asset) =>
      linkTargetsOf(asset, item, placeOf(context)).map((target) => ({ ...target, assetKey: asset.key })),
    );
}

// GET, since a signature holds for one method.
async function askForOneByte({ http, signal }: CheckContext, url: string): Promise<number> {
  const { status, body } = await http.open({ url, auth: 'none', headers: { range: 'bytes=0-0' }, signal });
  body.destroy();
  return status;
}

function placeOf({ baseUrl }: CheckContext): CatalogPlace {
  return { baseUrl, assetUrl: siblingAssetUrl(baseUrl) };
}
