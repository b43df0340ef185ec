import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { assetsOf, type Asset } from '#shared/stac/asset.ts';
import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { toDiskError } from './disk-error.ts';
import { isDirectory } from './output-layout.ts';
import type { NewTransfer } from './transfer-store.ts';

/**
 * The destination as it is written down.
 * @throws AppError `input.invalid`, `transfer.destination-missing`, `transfer.destination-not-writable`
 */
export async function checkDestination(destination: string): Promise<string> {
  if (!isAbsolute(destination) || destination.includes('\0')) {
    throw new AppError('input.invalid', 'The destination must be an absolute path', {
      details: { field: 'destination', why: 'it is not an absolute path' },
    });
  }
  const path = resolve(destination);
  try {
    if (!(await stat(path)).isDirectory()) {
      throw new AppError('transfer.destination-missing', 'The destination is not a folder', {
        details: { path },
      });
    }
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    throw toDiskError(error, path);
  }
}

/** The Item as the queue keeps it: no signed link, and no proxy link either, which is nothing without a token. */
export function toSnapshot({ item }: IdentifiedItem): StacItem {
  const clean = withoutSignedLinks(item);
  if (!isJsonObject(clean['assets'])) return clean;
  const assets = Object.entries(clean['assets']).map(([key, asset]) => [key, withoutDownloadLink(asset)]);
  return { ...clean, assets: Object.fromEntries(assets) as unknown };
}

/**
 * The transfers of an order. An asset that can't be fetched at all is among them as failed, so that it is seen and
 * the others go on.
 * @throws AppError `stac.asset-not-found`; `link.none` when no asset can be fetched
 */
export function planTransfers(item: StacItem, assetKeys: readonly string[]): NewTransfer[] {
  const assets = new Map(assetsOf(item).map((asset) => [asset.key, asset]));
  const planned = [...new Set(assetKeys)].map((assetKey) => {
    const asset = assets.get(assetKey);
    if (asset === undefined) {
      throw new AppError('stac.asset-not-found', `The item has no asset "${assetKey}"`, {
        details: { assetKey },
      });
    }
    return planTransfer(asset);
  });
  const [first] = planned;
  if (first?.error && planned.every(({ error }) => error !== null)) throw AppError.fromData(first.error);
  return planned;
}

function planTransfer(asset: Asset): NewTransfer {
  const facts = {
    assetKey: asset.key,
    mediaType: asset.mediaType,
    announcedBytes: asset.sizeBytes,
    announcedChecksum: asset.checksum,
  };
  if (!isDirectory(asset)) return { ...facts, state: 'queued', error: null };
  const error = new AppError('link.none', 'The asset is a folder of files and not a file', {
    details: { assetKey: asset.key, reason: 'directory' },
  });
  return { ...facts, state: 'failed', error: error.toData() };
}

function withoutDownloadLink(asset: unknown): unknown {
  if (!isJsonObject(asset) || !isJsonObject(asset['alternate'])) return asset;
  const { alternate, ...rest } = asset;
  const kept = Object.entries(alternate).filter(([name]) => name !== 'download' && name !== 'download_url');
  return kept.length === 0 ? rest : { ...rest, alternate: Object.fromEntries(kept) };
}
