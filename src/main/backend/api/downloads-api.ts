import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { readOrderedItems } from '../selection/read-ordered-items.ts';
import type { ApiParts } from './api-parts.ts';
import { tryToKeep } from './kept-answers.ts';
import { createQueueHandlers } from './queue-handlers.ts';

/** Handlers of `downloads`. */
export function createDownloadsApi({
  catalogs,
  downloads,
  folders,
  notebook,
  ports,
}: ApiParts): Handlers<typeof contract>['downloads'] {
  // The catalog in use when it was asked; another may be before the last Item is read.
  function choose({ refs, rule }: { refs: ItemRef[]; rule: AssetRule }, signal: AbortSignal) {
    const source = catalogs.current;
    const items = readOrderedItems(refs, rule, {
      source,
      signal,
      keep: async (some) => {
        const fetchedAtMs = ports.clock.now();
        await tryToKeep(ports.logger, () => source.library.saveItems(some, fetchedAtMs));
      },
    });
    return { connectionId: source.id, items, itemCount: refs.length };
  }

  return {
    plan: async ({ destination, ...choice }, { signal }) => {
      const chosen = choose(choice, signal);
      const folder = await folders.checkDestination(destination);
      return downloads.plan({ ...chosen, destination: folder }, { signal });
    },
    order: async ({ destination, refs, rule, ...order }, emit, { signal }) => {
      const chosen = choose({ refs, rule }, signal);
      const folder = await folders.checkDestination(destination);
      // Offered the next time that something of these collections is ordered.
      const collectionIds = [...new Set(refs.map(({ collectionId }) => collectionId))];
      await tryToKeep(ports.logger, () => notebook.assetRules.save(chosen.connectionId, collectionIds, rule));
      await downloads.order({ ...order, ...chosen, destination: folder }, { signal, onProgress: emit });
    },
    ...createQueueHandlers(downloads),
    startNow: ({ transferIds }) => downloads.startNow(transferIds),
    move: ({ transferIds, place }) => downloads.move(transferIds, place),
    sendTo: async ({ which, destination }) =>
      downloads.sendTo(which, await folders.checkDestination(destination)),
    details: ({ transferId }) => downloads.details(transferId),
    brought: async ({ connectionId, ref }) => ({ files: await downloads.brought(connectionId, ref) }),
    broughtAssets: ({ connectionId, refs }) => ({ assetKeys: downloads.broughtAssets(connectionId, refs) }),
    clearHistory: () => downloads.clearHistory(),
  };
}
