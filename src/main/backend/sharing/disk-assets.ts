import { open } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import type { AssetFile, AssetSource } from '../service/asset-source.ts';
import type { DownloadedFile } from './downloaded-files.ts';

interface DiskAssetsParts {
  findItem: (ref: ItemRef) => IdentifiedItem | null;
  findFiles: (one: IdentifiedItem) => Promise<ReadonlyMap<string, DownloadedFile>>;
}

/** The bytes of assets that were downloaded, from the files as they are at each request. */
export function createDiskAssets({ findItem, findFiles }: DiskAssetsParts): AssetSource {
  return {
    async open({ assetKey, ...ref }) {
      const one = findItem(ref);
      if (!one) return null;
      const file = (await findFiles(one)).get(assetKey);
      const asset = assetsOf(one.item).find(({ key }) => key === assetKey);
      return file && asset ? toAssetFile(file, asset.mediaType) : null;
    },
  };
}

function toAssetFile(file: DownloadedFile, mediaType: string | null): AssetFile {
  const { sizeBytes, modifiedAtMs, receipt } = file;
  // Of what tells one state of a file from the next without reading it.
  const state = JSON.stringify([sizeBytes, modifiedAtMs, receipt.checksum]);
  return {
    sizeBytes,
    mediaType: isMediaType(mediaType) ? mediaType : 'application/octet-stream',
    etag: `"${createHash('sha256').update(state).digest('hex').slice(0, 32)}"`,
    lastModified: new Date(modifiedAtMs),
    checksum: receipt.checksum === '' ? null : receipt.checksum,
    read: (range) => readRange(file, range),
  };
}

/** Ends with an error when the file is no longer the one that was announced. */
async function* readRange(
  { path, sizeBytes, modifiedAtMs }: DownloadedFile,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size, mtimeMs } = await file.stat();
    if (size !== sizeBytes || mtimeMs !== modifiedAtMs) throw new Error('The file has changed');
    if (start === end) return;
    // `end` is included here.
    yield* file.createReadStream({ start, end: end - 1, autoClose: false }) as AsyncIterable<Buffer>;
  } finally {
    await file.close();
  }
}

// What a catalog says goes into a header only if it is one.
function isMediaType(text: string | null): text is string {
  return text !== null && /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=(?:[\w.+-]+|"[^"\\\r\n]*"))*$/.test(text);
}
