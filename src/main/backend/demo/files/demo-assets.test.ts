import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '#shared/stac/json.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import type { AssetFile } from '../../service/asset-source.ts';
import { demoCollections } from '../collections/catalog.ts';
import { sampleOf } from '../testing/sample-items.ts';
import { createDemoAssets } from './demo-assets.ts';

const samples = demoCollections().map(({ id }) => sampleOf(id));
const assets = createDemoAssets({
  findItem: (ref) => samples.find((sample) => sample.ref.itemId === ref.itemId)?.item ?? null,
});
afterAll(() => assets.close());

async function readAll(file: AssetFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read({ start: 0, end: file.sizeBytes })) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('every asset of every collection', () => {
  it.each(samples.map((sample) => [sample.ref.collectionId, sample] as const))(
    'of %s has a file that agrees with the item',
    async (_, { ref, item }) => {
      for (const asset of assetsOf(item)) {
        const file = await assets.open({ ...ref, assetKey: asset.key });
        expect(assets.has?.({ ...ref, assetKey: asset.key })).toBe(file !== null);
        if (asset.mediaType === 'inode/directory') {
          expect(file).toBeNull();
          continue;
        }
        expect(file?.mediaType).toBe(asset.mediaType);
        if (asset.sizeBytes !== null) expect(file?.sizeBytes).toBe(asset.sizeBytes);
        if (asset.checksum !== null) expect(file?.checksum).toBe(asset.checksum);
      }
    },
    60_000,
  );

  it('that is small hashes to its checksum', async () => {
    for (const { ref, item } of samples) {
      for (const asset of assetsOf(item)) {
        const file = await assets.open({ ...ref, assetKey: asset.key });
        if (file === null || file.sizeBytes > 4_000_000) continue;
        const bytes = await readAll(file);
        expect(bytes.byteLength).toBe(file.sizeBytes);
        expect(file.checksum).toBe(`1220${createHash('sha256').update(bytes).digest('hex')}`);
      }
    }
  }, 60_000);

  it('keeps its ETag and its date', async () => {
    const { ref, item } = sampleOf('sentinel-2-l2a');
    const asset = { ...ref, assetKey: 'B02' };
    const [first, again] = [await assets.open(asset), await assets.open(asset)];
    expect(first?.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(again?.etag).toBe(first?.etag);
    const created = isJsonObject(item['properties']) ? String(item['properties']['created']) : '';
    expect(first?.lastModified.toISOString().slice(0, 19)).toBe(created.slice(0, 19));
  });
});

describe('what is not there', () => {
  it('has no file', async () => {
    const { ref } = sampleOf('sentinel-2-l2a');
    expect(await assets.open({ ...ref, assetKey: 'B99' })).toBeNull();
    expect(await assets.open({ ...ref, itemId: 'no-such', assetKey: 'B02' })).toBeNull();
    expect(await assets.open({ ...ref, collectionId: 'no-such', assetKey: 'B02' })).toBeNull();
    expect(await assets.open({ ...ref, assetKey: 'constructor' })).toBeNull();
  });
});
