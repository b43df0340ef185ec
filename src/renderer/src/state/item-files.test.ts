import { describe, expect, it } from 'vitest';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import { countFiles, latestTransfers } from './item-files.ts';

const ref = { collectionId: 's2', itemId: 'scene' };
const orders = [
  { downloadId: 1, connectionId: 'here' },
  { downloadId: 2, connectionId: 'elsewhere' },
] as DownloadOrderView[];
let lastId = 0;
const transferOf = (assetKey: string, change: Partial<Transfer> = {}) =>
  ({
    ...ref,
    transferId: (lastId += 1),
    downloadId: 1,
    assetKey,
    state: 'done',
    finding: null,
    ...change,
  }) as Transfer;
const count = (transfers: readonly Transfer[], remembered: readonly string[] = []) =>
  countFiles(latestTransfers(transfers, orders, 'here').get(toItemKey(ref)) ?? new Map(), remembered);

describe('the files of an item', () => {
  it('are what came, what comes and what is lost, those off the list among them', () => {
    const transfers = [
      transferOf('B02'),
      transferOf('B03', { state: 'paused' }),
      transferOf('B04', { state: 'failed' }),
      transferOf('B05', { finding: 'missing' }),
      transferOf('B06', { state: 'cancelled' }),
    ];
    const counts = { broughtCount: 2, comingCount: 1, failedCount: 2 };
    expect(count(transfers, ['B02', 'B05', 'B08'])).toEqual(counts);
  });

  it('count once, by the latest transfer, also where one that came before is fetched again', () => {
    const transfers = [transferOf('B02'), transferOf('B02', { state: 'downloading' })];
    expect(count(transfers, ['B02'])).toEqual({ broughtCount: 0, comingCount: 1, failedCount: 0 });
    expect(count(transfers.toReversed(), ['B02'])).toMatchObject({ comingCount: 1 });
  });

  it('are those of the catalog in use', () => {
    expect(count([transferOf('B02', { downloadId: 2 })])).toMatchObject({ broughtCount: 0 });
  });
});
