import type { Asset } from '#shared/stac/asset.ts';
import { timeOf, type StacItem } from '#shared/stac/item.ts';
import { toSafeFolderName, toSafeName } from './safe-names.ts';

// Leaves room for the copy's number and `.<transferId>-<queue>.part.json`.
const longestFileNameBytes = 220;

/**
 * Names beside the files of an Item that are Swath's own. `claim` is there while one of the others is written, `turn` while a
 * claim that a dead program has left is taken away.
 */
export const sidecarNames = {
  item: 'item.json',
  receipt: 'receipt.json',
  claim: '.swath-writing.json',
  turn: '.swath-turn.json',
} as const;

const extensions: readonly [RegExp, string][] = [
  [/^image\/(tiff|x-tiff|geotiff|vnd\.stac\.geotiff)/, '.tif'],
  [/^image\/(jp2|jpx)/, '.jp2'],
  [/^image\/png/, '.png'],
  [/^image\/jpe?g/, '.jpg'],
  [/^application\/geo\+json/, '.geojson'],
  [/^application\/(.+\+)?json/, '.json'],
  [/^(application|text)\/(.+\+)?xml/, '.xml'],
  [/^application\/zip/, '.zip'],
  [/^application\/(x-)?hdf5?/, '.h5'],
  [/^application\/(x-)?netcdf/, '.nc'],
  [/^application\/(x-|vnd\.apache\.)?parquet/, '.parquet'],
  [/^application\/pdf/, '.pdf'],
  [/^text\/html/, '.html'],
  [/^text\/csv/, '.csv'],
  [/^text\/plain/, '.txt'],
];

/** Folder names from the destination downwards: `<collection>/<YYYY>/<item>` (design §11). */
export interface ItemFolders {
  collection: string;
  year: string;
  item: string;
}

/** Where an Item's files belong. An Item without a time goes to `undated`. */
export function foldersOf(ref: { collectionId: string; itemId: string }, item: StacItem): ItemFolders {
  const { datetimeMicros } = timeOf(item);
  const year = datetimeMicros === null ? NaN : new Date(datetimeMicros / 1000).getUTCFullYear();
  return {
    collection: toSafeFolderName(ref.collectionId),
    year: Number.isNaN(year) ? 'undated' : String(year).padStart(4, '0'),
    item: toSafeFolderName(ref.itemId),
  };
}

/** The asset's file name: the last part of `file:local_path` or of its href, or else its key. */
export function fileNameOf(asset: Asset, maxBytes = longestFileNameBytes): string {
  const localPath = asset.raw['file:local_path'];
  const extension = extensionOf(asset.mediaType);
  const candidates = [
    typeof localPath === 'string' ? lastSegment(localPath) : '',
    hrefSegment(asset.href),
  ].filter((name) => /[^.\s]/.test(name));
  const named = candidates.find((name) => /[^.]\.[^.]/.test(name) || extension === '');
  return toSafeName(named ?? `${asset.key}${asset.key.endsWith(extension) ? '' : extension}`, {
    maxBytes,
    fallback: 'asset',
  });
}

function extensionOf(mediaType: string | null): string {
  return extensions.find(([pattern]) => pattern.test(mediaType?.toLowerCase() ?? ''))?.[1] ?? '';
}

function hrefSegment(href: string): string {
  const segment = lastSegment(href.replace(/[?#].*$/, ''));
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
