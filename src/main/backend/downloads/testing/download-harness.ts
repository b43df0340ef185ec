import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { LinkedAsset, ResolveLink } from '../../links/link.ts';
import { silentLogger } from '../../ports.ts';
import { createDownloads } from '../create-downloads.ts';
import type { Downloads, DownloadsOptions } from '../downloads.ts';
import { filesIn } from './files-in.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

/** The token that no storage may ever see. */
export const secretToken = 'secret-token';

/** An asset of the test Item. */
export interface TestAsset {
  href: string;
  sizeBytes?: number | null;
  checksum?: string | null;
  mediaType?: string | null;
  members?: Record<string, unknown>;
}

/** A queue over real HTTP and real files, in its own folder. */
export interface Harness {
  downloads: Downloads;
  time: ManualTime;
  folder: string;
  destination: string;
  item: StacItem;
  /** Calls of resolveLink so far. */
  resolved: Parameters<ResolveLink>[];
  resolveLink: ResolveLink;
  start(assetKeys: string[], links?: 'auto' | 'signed' | 'proxy'): Promise<number>;
  /** Orders `B04` from a source that stops there, and pauses it once so many bytes have come. */
  pauseAt(receivedBytes: number): Promise<{ downloadId: number; transferId: number }>;
  /** Ends the queue's process, as it were, and begins another on the same file. */
  restart(changes?: Partial<DownloadsOptions>): Promise<void>;
  /** The only transfer of a download, once a condition holds. */
  until(downloadId: number, condition: (transfer: Transfer) => boolean): Promise<Transfer>;
  /** Lets time pass as waits ask for until the download is settled. */
  finish(downloadId: number): Promise<Transfer[]>;
  /** Paths below the destination. */
  files(): string[];
  read(path: string): Buffer;
  readJson(path: string): unknown;
  close(): Promise<void>;
}

/** Builds a queue around an Item `scene` of the collection `s2`, taken in 2024. */
export function createHarness(
  assets: Record<string, TestAsset>,
  changes: Partial<DownloadsOptions> = {},
  time: ManualTime = createManualTime(),
): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'swath-downloads-'));
  const destination = join(folder, 'out');
  mkdirSync(destination);
  const item = toItem(assets);
  const options: DownloadsOptions = {
    filePath: join(folder, 'transfers.sqlite'),
    http: createHttpClient({
      credentials: { origin: 'http://catalog.invalid', accessToken: () => Promise.resolve(secretToken) },
      clock: time.clock,
      logger: silentLogger,
      maxCatalogRequests: 4,
    }),
    resolveLink: (asset, wish) => {
      harness.resolved.push([asset, wish]);
      return harness.resolveLink(asset, wish);
    },
    loadItem: () =>
      Promise.resolve({ ref: { collectionId: 's2', itemId: harness.item.id }, item: harness.item }),
    loadCollection: () => Promise.resolve(collection),
    clock: time.clock,
    timers: time.timers,
    random: () => 0.5,
    logger: silentLogger,
    appVersion: '9.9.9',
    maxConcurrentTransfers: 3,
    ...changes,
  };
  const harness: Harness = {
    downloads: createDownloads(options),
    time,
    folder,
    destination,
    item,
    resolved: [],
    resolveLink: (asset) => Promise.resolve(linkTo(assets, asset.assetKey)),
    async start(assetKeys, links = 'auto') {
      const ref = { collectionId: 's2', itemId: harness.item.id };
      return (await harness.downloads.start({ connectionId: 'test', ref, assetKeys, destination, links }))
        .downloadId;
    },
    async pauseAt(receivedBytes) {
      const downloadId = await harness.start(['B04']);
      const { transferId } = await harness.until(downloadId, (one) => one.receivedBytes === receivedBytes);
      await harness.downloads.pause(transferId);
      return { downloadId, transferId };
    },
    async restart(more = {}) {
      await harness.downloads.close();
      harness.downloads = createDownloads({ ...options, ...more });
    },
    async until(downloadId, condition) {
      const found = await poll(() =>
        harness.downloads
          .transfers()
          .find((transfer) => transfer.downloadId === downloadId && condition(transfer)),
      );
      return found;
    },
    async finish(downloadId) {
      let isOver = false;
      const settled = harness.downloads.waitUntilSettled(downloadId).finally(() => (isOver = true));
      await poll(() => {
        const waiting = harness.downloads.transfers().filter(({ state }) => state === 'waiting');
        if (waiting.length > 0) time.advance(5000);
        return isOver || undefined;
      });
      return settled;
    },
    files: () => filesIn(destination),
    read: (path) => readFileSync(join(destination, path)),
    readJson: (path) => JSON.parse(readFileSync(join(destination, path), 'utf8')) as unknown,
    async close() {
      await harness.downloads.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

/** Bytes that look like nothing but are the same every time. */
export function makeBytes(sizeBytes: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let index = 0; index + 4 <= sizeBytes; index += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes.writeUInt32LE(state >>> 0, index);
  }
  return bytes;
}

/** `file:checksum` of some bytes. */
export function checksumOf(bytes: Buffer): string {
  return `1220${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Looks again and again, leaving the event loop to others in between, until there is something; at most 60 s. */
export async function poll<Found>(look: () => Found | undefined): Promise<Found> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('What was waited for did not happen');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** What the catalog would say about an asset now, with a signed link to it. */
export function linkTo(assets: Record<string, TestAsset>, assetKey: string): LinkedAsset {
  const asset = assets[assetKey];
  if (asset === undefined) throw new AppError('stac.asset-not-found', 'No such asset');
  return {
    link: { url: `${asset.href}?Signature=c2VjcmV0&Expires=9`, kind: 'signed', expiresAtMs: null },
    href: asset.href,
    mediaType: asset.mediaType ?? null,
    sizeBytes: asset.sizeBytes ?? null,
    checksum: asset.checksum ?? null,
  };
}

const collection = {
  id: 's2',
  type: 'Collection',
  stac_version: '1.0.0',
  description: 'Pictures from above',
  license: 'CC-BY-4.0',
  title: null,
  extent: {
    spatial: { bbox: [[-180, -90, 180, 90]] },
    temporal: { interval: [['2015-01-01T00:00:00Z', null]] },
  },
  links: [
    { rel: 'self', href: 'https://catalog.example/collections/s2' },
    { rel: 'items', href: 'https://catalog.example/collections/s2/items' },
    { rel: 'license', href: 'https://license.example/cc' },
  ],
} as StacCollection;

function toItem(assets: Record<string, TestAsset>): StacItem {
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'scene',
    collection: 's2',
    geometry: { type: 'Point', coordinates: [9, 47] },
    bbox: [9, 47, 9, 47],
    properties: { datetime: '2024-05-06T10:20:30Z' },
    links: [{ rel: 'self', href: 'https://catalog.example/collections/s2/items/scene?token=abc' }],
    assets: Object.fromEntries(
      Object.entries(assets).map(([key, asset]) => [
        key,
        {
          href: asset.href,
          ...(asset.mediaType === undefined ? {} : { type: asset.mediaType }),
          ...(asset.sizeBytes == null ? {} : { 'file:size': asset.sizeBytes }),
          ...(asset.checksum == null ? {} : { 'file:checksum': asset.checksum }),
          alternate: { download: { href: `${asset.href}?Signature=c2VjcmV0&Expires=9` } },
          ...asset.members,
        },
      ]),
    ),
  };
}
