import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { assetsOf, downloadHref, type Asset } from '#shared/stac/asset.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import type { Kept } from '../library/library.ts';
import type { ApiParts } from './api-parts.ts';
import { answerOrKept, toTimestamp, tryToKeep } from './kept-answers.ts';

/** Handlers of `item`. */
export function createItemApi(parts: ApiParts): Handlers<typeof contract>['item'] {
  return {
    get: async (ref, { signal }) => {
      const answer = await answerOrKept(
        () => fetchItem(parts, ref, signal),
        () => parts.catalogs.current.library.item(ref),
      );
      return toItemView(answer);
    },
    kept: (ref) => {
      const kept = parts.catalogs.current.library.item(ref);
      return kept && toItemView(kept);
    },
  };
}

function toItemView({ value, fetchedAtMs }: Kept<IdentifiedItem>) {
  return {
    row: toItemRow(value),
    item: withoutSignedLinks(value.item),
    assets: assetsOf(value.item).map(toAssetView),
    asOf: toTimestamp(fetchedAtMs),
  };
}

async function fetchItem(
  { catalogs, ports }: ApiParts,
  ref: ItemRef,
  signal: AbortSignal,
): Promise<Kept<IdentifiedItem>> {
  const { connection, library } = catalogs.current;
  const value = await connection.ask((catalog) => catalog.item(ref, { signal }));
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
    availability: judgeAvailability(asset),
  };
}

function judgeAvailability(asset: Asset): 'downloadable' | 'directory' | 'unsupported-scheme' {
  if (asset.href.replace(/[?#].*$/, '').endsWith('/')) return 'directory';
  if (downloadHref(asset) !== null) return 'downloadable';
  // The service signs s3 hrefs on request (catalog-service.md §8, rule 3); a relative href is resolved by the client.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(asset.href)?.[1]?.toLowerCase() ?? 'https';
  return ['https', 'http', 's3'].includes(scheme) ? 'downloadable' : 'unsupported-scheme';
}
