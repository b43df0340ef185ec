import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { toStandardCollection, toStandardItem } from './standard-stac.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { ServiceContext, StandardAnswers } from '../service/service-context.ts';
import { fileUrl } from '../service/shared-files.ts';
import type { DownloadedFile } from './downloaded-files.ts';

/** Where the catalog has an asset, beside the file that is here. */
const sourceAlternate = 'source';

/** Kept Items and Collections as programs expect them, with links to the files that are on disk. */
export function createStandardAnswers(
  context: () => ServiceContext,
  findFiles: (one: IdentifiedItem) => Promise<ReadonlyMap<string, DownloadedFile>>,
): StandardAnswers {
  return {
    async item(kept) {
      const item = toStandardItem(withoutSignedLinks(kept.item), kept.ref);
      const files = await findFiles(kept);
      return { ...kept, item: { ...item, assets: withFiles(context(), { ...kept, item }, files) } };
    },
    collection: toStandardCollection,
  };
}

function withFiles(
  context: ServiceContext,
  { ref, item }: IdentifiedItem,
  files: ReadonlyMap<string, DownloadedFile>,
): JsonObject {
  const assets = isJsonObject(item['assets']) ? item['assets'] : {};
  const entries = Object.entries(assets).map(([assetKey, asset]) => {
    const file = files.get(assetKey);
    if (!file || !isJsonObject(asset) || typeof asset['href'] !== 'string') return [assetKey, asset];
    const href = fileUrl(context, { ...ref, assetKey }, asset['href']);
    return [assetKey, href === null ? asset : { ...asset, href, alternate: alternatesOf(asset) }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function alternatesOf(asset: JsonObject): JsonObject {
  const stored = isJsonObject(asset['alternate']) ? asset['alternate'] : {};
  return { ...stored, [sourceAlternate]: { href: asset['href'] } };
}
