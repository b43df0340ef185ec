import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { noAssets } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { OrderProgress } from '#shared/transfer/download-order.ts';

/** What is ordered: assets by their keys, into a folder. */
export interface TestOrder {
  refs: ItemRef[];
  assetKeys: string[];
  destination: string;
}

/** The input of `downloads.order` that a window would send for it. */
export function toOrderInput({ refs, assetKeys, destination }: TestOrder) {
  const rule = { ...noAssets, keys: assetKeys };
  const about = { title: 'Test', origin: { kind: 'selection' }, priority: 'normal', links: 'auto' } as const;
  return { refs, rule, destination, ...about };
}

/** Orders as the window does; resolves once all of it is queued. */
export function placeOrder(
  client: Client<typeof contract>,
  order: TestOrder,
): Promise<OrderProgress & { downloadId: number }> {
  return new Promise((resolve, reject) => {
    client.downloads.order(toOrderInput(order), {
      onEvent: ({ downloadId, ...progress }) => {
        if (!progress.isQueued) return;
        if (downloadId === null) reject(new AppError('internal', 'There was nothing to order'));
        else resolve({ ...progress, downloadId });
      },
      onError: reject,
    });
  });
}
