import { assetsOf, forEachAsset, readAsset, type Asset } from './asset.ts';
import type { StacItem } from './item.ts';

const keysOfPictures = ['thumbnail', 'rendered_preview', 'preview'];
const pictureTypes = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/gif'];

/** The asset to show as a picture: role `thumbnail` first, then `overview`, then well-known keys. Null when there is none. */
export function thumbnailAsset(item: StacItem): Asset | null {
  return findThumbnail(assetsOf(item));
}

/** How many assets an Item has, and whether `thumbnailAsset` finds one; most of them are not read for it. */
export function summariseAssets(item: StacItem): { assetCount: number; hasThumbnail: boolean } {
  let assetCount = 0;
  let hasThumbnail = false;
  forEachAsset(item, (key, raw) => {
    assetCount += 1;
    if (!hasThumbnail && mayBeThumbnail(key, raw['roles']))
      hasThumbnail = findThumbnail([readAsset(key, raw)]) !== null;
  });
  return { assetCount, hasThumbnail };
}

function findThumbnail(assets: readonly Asset[]): Asset | null {
  const pictures = assets.filter(isPicture);
  return (
    pictures.find((asset) => asset.roles.includes('thumbnail')) ??
    pictures.find((asset) => asset.roles.includes('overview')) ??
    pictures.find((asset) => keysOfPictures.includes(asset.key.toLowerCase())) ??
    null
  );
}

function mayBeThumbnail(key: string, roles: unknown): boolean {
  const isByRole = Array.isArray(roles) && (roles.includes('thumbnail') || roles.includes('overview'));
  return isByRole || keysOfPictures.includes(key.toLowerCase());
}

function isPicture(asset: Asset): boolean {
  if (asset.mediaType !== null)
    return pictureTypes.includes(asset.mediaType.toLowerCase().split(';')[0] ?? '');
  return /\.(png|jpe?g|webp|gif)(?:\?|$)/i.test(asset.href) || asset.roles.includes('thumbnail');
}
