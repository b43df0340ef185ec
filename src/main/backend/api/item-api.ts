import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { availabilityOf } from '#shared/stac/asset-availability.ts';
import { assetsOf, type Asset } from '#shared/stac/asset.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { judgeReachability } from '../connection/reachability.ts';
import { decodeChecksum } from '../downloads/file/multihash.ts';
import type { AssetRef } from '../links/link.ts';
import { linkTargetsOf, siblingAssetUrl } from '../links/link-targets.ts';
import type { Kept } from '../library/library.ts';
import { pictureCornersOf } from '../thumbnails/picture-corners.ts';
import type { ApiParts } from './api-parts.ts';
import { answerOrKept, toTimestamp, tryToKeep } from './kept-answers.ts';

/** Handlers of `item`. */
export function createItemApi(parts: ApiParts): Handlers<typeof contract>['item'] {
  return {
    get: async (ref, { signal }) => {
      // The one that was asked: another may be in use when it turns out to be away.
      const { current } = parts.catalogs;
      const kept = findKept(current, ref);
      const { isOffline } = judgeReachability(current.connection.status, parts.access.network.isOff);
      if (isOffline && kept) return toItemView(kept, current);
      const answer = await answerOrKept(
        () => fetchItem(ref, { ...parts, current, signal }),
        () => findKept(current, ref),
      );
      return toItemView(answer, current);
    },
    kept: (ref) => {
      const { current } = parts.catalogs;
      const kept = findKept(current, ref);
      return kept && toItemView(kept, current);
    },
    pictureCorners: async (ref) => {
      const { library } = parts.catalogs.current;
      // What was seen a moment ago may still be on its way into it.
      await library.settle();
      const kept = library.item(ref);
      return { corners: kept && pictureCornersOf(kept.value.item) };
    },
    signedLink: (ref, { signal }) => mintSignedLink(parts, ref, signal),
    proxyLink: (ref, { signal }) => findProxyLink(parts, ref, signal),
  };
}

function findKept({ library }: OpenCatalog, ref: ItemRef): Kept<IdentifiedItem> | null {
  const kept = library.item(ref);
  const goneAtMs = kept && library.marksOf([ref])[0]?.goneAtMs;
  return kept && goneAtMs != null ? { ...kept, value: { ...kept.value, goneAtMs } } : kept;
}

function toItemView({ value, fetchedAtMs }: Kept<IdentifiedItem>, { library }: OpenCatalog) {
  const origin = library.imports.ofItem(value.ref);
  return {
    row: toItemRow(value),
    item: withoutSignedLinks(value.item),
    assets: assetsOf(value.item).map(toAssetView),
    asOf: toTimestamp(fetchedAtMs),
    file: origin && { name: origin.fileName, importedAt: toTimestamp(origin.importedAtMs) },
  };
}

async function fetchItem(
  ref: ItemRef,
  { current, ports, signal }: ApiParts & { current: OpenCatalog; signal: AbortSignal },
): Promise<Kept<IdentifiedItem>> {
  const { connection, library } = current;
  const askedAtMs = ports.clock.now();
  let value: IdentifiedItem;
  try {
    value = await connection.ask((catalog) => catalog.item(ref, { signal }));
  } catch (thrown) {
    const isGone = isAppError(thrown, 'stac.item-not-found') && library.item(ref) !== null;
    if (!isGone) throw thrown;
    // It may have been seen a moment ago.
    await library.settle();
    await tryToKeep(ports.logger, () => library.markGone([ref], askedAtMs));
    const kept = findKept(current, ref);
    if (!kept) throw thrown;
    return kept;
  }
  const fetchedAtMs = ports.clock.now();
  await tryToKeep(ports.logger, () => library.saveItems([value], fetchedAtMs));
  return { value, fetchedAtMs };
}

function toAssetView(asset: Asset) {
  return {
    key: asset.key,
    title: asset.title,
    mediaType: asset.mediaType,
    roles: [...asset.roles],
    sizeBytes: asset.sizeBytes,
    isVerifiable: asset.checksum !== null,
    checksumKind: asset.checksum === null ? null : (decodeChecksum(asset.checksum)?.algorithm ?? null),
    availability: availabilityOf(asset),
  };
}

async function mintSignedLink({ catalogs, ports }: ApiParts, ref: AssetRef, signal: AbortSignal) {
  const { catalog, resolveLink } = await catalogs.current.connection.access();
  const { link } = await resolveLink(ref, { mode: 'signed', isRenewal: true, signal });
  const { url, kind, expiresAtMs } = link;
  const nowMs = ports.clock.now() + (catalog.serverAheadMs ?? 0);
  return {
    href: url,
    kind,
    expiresAt: expiresAtMs === null ? null : toTimestamp(expiresAtMs),
    leftSeconds: expiresAtMs === null ? null : Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000)),
  };
}

async function findProxyLink({ catalogs }: ApiParts, ref: AssetRef, signal: AbortSignal) {
  const { connection } = catalogs.current;
  const { baseUrl } = (await connection.access()).catalog;
  const { item } = await connection.ask((catalog) => catalog.item(ref, { links: 'proxy', signal }));
  const asset = assetsOf(item).find(({ key }) => key === ref.assetKey);
  if (!asset) {
    throw new AppError('stac.asset-not-found', `The item has no asset "${ref.assetKey}"`, {
      details: { assetKey: ref.assetKey },
    });
  }
  const targets = linkTargetsOf(asset, item, { baseUrl, assetUrl: siblingAssetUrl(baseUrl) });
  const proxy = targets.find(({ kind }) => kind === 'proxy');
  if (proxy) return { href: proxy.url };
  throw new AppError('link.none', 'The catalog gives no proxy link', {
    details: { reason: 'no proxy link' },
  });
}
