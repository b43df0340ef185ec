import { assetsOf, type Asset } from './asset.ts';
import type { StacItem } from './item.ts';

const pictureTypes = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/gif'];

/** The asset to show as a picture: role `thumbnail` first, then `overview`, then well-known keys. Null when there is none. */
export function thumbnailAsset(item: StacItem): Asset | null {
  return findThumbnail(assetsOf(item));
}

/** The same among assets that were read already. */
export function findThumbnail(assets: readonly Asset[]): Asset | null {
  const pictures = assets.filter(isPicture);
  return (
    pictures.find((asset) => asset.roles.includes('thumbnail')) ??
    pictures.find((asset) => asset.roles.includes('overview')) ??
    pictures.find((asset) =>
      ['thumbnail', 'rendered_preview', 'preview'].includes(asset.key.toLowerCase()),
    ) ??
    null
  );
}

function isPicture(asset: Asset): boolean {
  if (asset.mediaType !== null)
    return pictureTypes.includes(asset.mediaType.toLowerCase().split(';')[0] ?? '');
  return /\.(png|jpe?g|webp|gif)(?:\?|$)/i.test(asset.href) || asset.roles.includes('thumbnail');
}
