import { AppError } from '#shared/errors/app-error.ts';
import { createAssetTest, type AssetRule } from '#shared/selection/asset-rule.ts';
import { availabilityOf } from '#shared/stac/asset-availability.ts';
import { bandNamesOf } from '#shared/stac/asset-bands.ts';
import { assetsOf, fileNameInHref, type Asset } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { NewTransfer } from './order-store.ts';

/** An asset that is wanted: as a transfer, or why it can't be one. */
export type ChosenAsset =
  | { assetKey: string; transfer: NewTransfer }
  /** `failed`: asked for by its key, it is shown among the others. */
  | { assetKey: string; error: AppError; failed: NewTransfer | null };

/** What is wanted of an Item: keys, each of which it should have, or a rule that fits what it has. */
export function chooseAssets(item: StacItem, wanted: readonly string[] | AssetRule): ChosenAsset[] {
  const assets = assetsOf(item);
  if (isRule(wanted)) {
    const isChosen = createAssetTest(wanted);
    return assets.filter((asset) => isChosen(toSubject(asset))).map((asset) => judge(asset));
  }
  const byKey = new Map(assets.map((asset) => [asset.key, asset]));
  return [...new Set(wanted)].map((assetKey) => {
    const asset = byKey.get(assetKey);
    if (asset) return judge(asset, { isNamed: true });
    const error = new AppError('stac.asset-not-found', `The item has no asset "${assetKey}"`, {
      details: { assetKey },
    });
    return { assetKey, error, failed: null };
  });
}

function isRule(wanted: readonly string[] | AssetRule): wanted is AssetRule {
  return !Array.isArray(wanted);
}

function toSubject(asset: Asset) {
  const { key, roles } = asset;
  return { key, roles, bands: bandNamesOf(asset), fileName: fileNameInHref(asset) };
}

function judge(asset: Asset, { isNamed = false } = {}): ChosenAsset {
  const { key: assetKey, mediaType } = asset;
  const reason = availabilityOf(asset);
  const announced = { announcedBytes: asset.sizeBytes, announcedChecksum: asset.checksum };
  const transfer: NewTransfer = { assetKey, state: 'queued', error: null, mediaType, ...announced };
  if (reason === 'downloadable') return { assetKey, transfer };
  const why =
    reason === 'directory'
      ? 'The asset is a folder of files and not a file'
      : 'There is no way to the asset that Swath can go';
  const error = new AppError('link.none', why, { details: { assetKey, reason } });
  const failed: NewTransfer = { ...transfer, state: 'failed', error: error.toData() };
  return { assetKey, error, failed: isNamed ? failed : null };
}
