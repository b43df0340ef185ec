import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isJsonObject } from '#shared/stac/json.ts';
import { propertiesOf, type ItemRef, type StacItem } from '#shared/stac/item.ts';
import type { AssetRef } from '../../links/link.ts';
import type { AssetFile, AssetSource } from '../../service/asset-source.ts';
import type { AssetPlan } from '../collections/asset-plan.ts';
import { assetPlanOf } from '../collections/catalog.ts';
import { readGround, toPictureScene } from '../imagery/picture-scene.ts';
import { hashText } from '../random.ts';
import { ByteCache } from './byte-cache.ts';
import { createDrawer } from './drawer.ts';
import { writeText } from './metadata-text.ts';
import { choosePlate, describePlateFile, plateTag, readPlateFile } from './plate-file.ts';

/** The files of the demo catalog; ends its drawing thread when closed. */
export interface DemoAssets extends AssetSource {
  close(): Promise<void>;
}

interface Drawn {
  bytes: Uint8Array;
  /** SHA-256 in hex. */
  digest: string;
}

const defaultCacheBytes = 64 * 2 ** 20;
const pieceBytes = 65_536;

/** Makes the files of items on the fly: nothing is on disk, and drawn ones are kept for a while. */
export function createDemoAssets(options: {
  findItem: (ref: ItemRef) => StacItem | null;
  cacheBytes?: number;
}): DemoAssets {
  const drawer = createDrawer();
  const cache = new ByteCache<Drawn>(options.cacheBytes ?? defaultCacheBytes);
  const drawing = new Map<string, Promise<Drawn>>();

  async function draw(item: StacItem, file: 'png' | 'cog', key: string): Promise<Drawn | null> {
    const known = cache.get(key) ?? drawing.get(key);
    if (known) return known;
    const scene = toPictureScene(item);
    if (scene === null) return null;
    const drawn = drawer.draw(scene, file).then((bytes) => ({ bytes, digest: sha256(bytes) }));
    drawing.set(key, drawn);
    try {
      const result = await drawn;
      cache.set(key, result, result.bytes.byteLength);
      return result;
    } finally {
      drawing.delete(key);
    }
  }

  /** The polar mosaic lacks some assets of its collection: the item has the last word. */
  function find(asset: AssetRef): { item: StacItem; plan: AssetPlan } | null {
    const item = options.findItem(asset);
    const plan = assetPlanOf(asset.collectionId, asset.assetKey);
    if (item === null || plan === null || plan.content.kind === 'directory') return null;
    return isJsonObject(item.assets) && Object.hasOwn(item.assets, asset.assetKey) ? { item, plan } : null;
  }

  return {
    has: (asset) => find(asset) !== null,
    async open(asset) {
      const found = find(asset);
      if (found === null) return null;
      const { item, plan } = found;
      const common = { mediaType: plan.mediaType, lastModified: createdAt(item) };
      const { content } = plan;
      if (content.kind === 'plate') return openPlate(item, { asset, plan }, common);
      if (content.kind === 'text') return openText(item, content.format, common);
      const file = content.kind === 'cog' ? 'cog' : 'png';
      // The key leaves out which asset it is: the overview of an item is its thumbnail.
      const drawn = await draw(item, file, `${file}/${asset.collectionId}/${asset.itemId}`);
      return drawn && openBytes(drawn.bytes, drawn.digest, common);
    },
    close: () => drawer.close(),
  };
}

type Common = Pick<AssetFile, 'mediaType' | 'lastModified'>;

function openPlate(
  item: StacItem,
  { asset, plan }: { asset: AssetRef; plan: AssetPlan },
  common: Common,
): AssetFile | null {
  const ground = readGround(propertiesOf(item));
  if (ground === null || plan.content.kind !== 'plate') return null;
  const plate = choosePlate(plan.content.plate, hashText(asset.assetKey + item.id));
  return {
    ...common,
    ...describePlateFile(plate, ground),
    etag: `"${plateTag(plate, ground)}"`,
    read: (range) => readPlateFile(plate, { ground, ...range }),
  };
}

function openText(item: StacItem, format: 'xml' | 'json' | 'txt', common: Common): AssetFile {
  const bytes = Buffer.from(writeText({ id: item.id, properties: propertiesOf(item) }, format));
  return openBytes(bytes, sha256(bytes), common);
}

function openBytes(bytes: Uint8Array, digest: string, common: Common): AssetFile {
  return {
    ...common,
    sizeBytes: bytes.byteLength,
    etag: `"${digest.slice(0, 32)}"`,
    checksum: `1220${digest}`,
    read: (range) => Readable.from(cutBytes(bytes, range)),
  };
}

function* cutBytes(bytes: Uint8Array, { start, end }: { start: number; end: number }): Generator<Uint8Array> {
  for (let at = start; at < end; at += pieceBytes) yield bytes.subarray(at, Math.min(end, at + pieceBytes));
}

function createdAt(item: StacItem): Date {
  const { created } = propertiesOf(item);
  // HTTP dates have whole seconds.
  const epochMs = typeof created === 'string' ? Date.parse(created) : 0;
  return new Date(Math.floor((Number.isNaN(epochMs) ? 0 : epochMs) / 1000) * 1000);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
