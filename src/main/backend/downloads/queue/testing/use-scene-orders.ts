import { beforeEach } from 'vitest';
import { noAssets } from '#shared/selection/asset-rule.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { OrderProgress } from '#shared/transfer/download-order.ts';
import type { DownloadOrder, OrderedItem } from '../../downloads.ts';
import { checksumOf, makeBytes, poll } from '../../testing/download-harness.ts';
import { useDownloads } from '../../testing/use-downloads.ts';

/** Orders of items called `scene-0`, `scene-1` …, each of whose files is the same 200 kB. */
export function useSceneOrders() {
  const bytes = makeBytes(200_000);
  const test = useDownloads(bytes);

  function makeItem(id: string, keys: readonly string[] = ['B04']): StacItem {
    const href = (key: string) =>
      key === 'folder' ? 's3://bucket/tiles/' : `${test.server.origin}/${id}-${key}.bin`;
    const file = { 'file:size': bytes.length, 'file:checksum': checksumOf(bytes) };
    const assets = keys.map((key) => [key, { href: href(key), roles: ['data'], ...file }]);
    return {
      type: 'Feature',
      id,
      collection: 's2',
      properties: {},
      assets: Object.fromEntries(assets) as unknown,
    };
  }

  function toOrder(
    items: Iterable<OrderedItem> | AsyncIterable<OrderedItem>,
    itemCount: number,
  ): DownloadOrder {
    const { destination } = test.harness;
    const what = {
      title: 'Fields',
      origin: { kind: 'selection' },
      priority: 'normal',
      links: 'auto',
    } as const;
    return { connectionId: 'test', destination, ...what, items, itemCount };
  }

  function* manyItems(count: number, keys?: readonly string[]): Generator<OrderedItem> {
    for (let index = 0; index < count; index += 1) {
      const item = makeItem(`scene-${index}`, keys);
      yield { ref: { collectionId: 's2', itemId: item.id }, item, wanted: { ...noAssets, roles: ['data'] } };
    }
  }

  function placeOrder(count: number, keys?: readonly string[]): Promise<OrderProgress> {
    return test.harness.downloads.order(toOrder(manyItems(count, keys), count));
  }

  const downloads = () => test.harness.downloads;
  const untilDone = () =>
    poll(
      () =>
        downloads()
          .transfers()
          .every(({ state }) => state === 'done') || undefined,
    );
  beforeEach(async () => {
    test.open({});
    test.harness.resolveLink = ({ itemId, assetKey }) =>
      Promise.resolve({
        link: { url: `${test.server.origin}/${itemId}-${assetKey}.bin`, kind: 'signed', expiresAtMs: null },
        href: `${test.server.origin}/${itemId}-${assetKey}.bin`,
        mediaType: null,
        sizeBytes: bytes.length,
        checksum: checksumOf(bytes),
      });
    await downloads().pauseQueue();
  });

  return { bytes, test, downloads, toOrder, manyItems, placeOrder, untilDone };
}
