import { commandContract } from '#shared/rpc/command-contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import { isSettled } from '#shared/transfer/transfer.ts';
import { handOver, type HandedOver } from '../../downloads/handover/hand-over.ts';
import { createQueueHandlers } from '../queue-handlers.ts';
import { createCommandRulesApi } from './command-rules-api.ts';
import type { CommandParts } from './command-parts.ts';
import { createOrdersApi } from './orders-api.ts';

type Options = Parameters<typeof createRouter>[2];

/** Serves commands of this user; each pipe is one command, with a basket of its own. */
export function createCommandRouter(parts: CommandParts, options: Options): Router {
  return {
    serve: (pipe) =>
      createRouter(
        commandContract,
        {
          queue: createCommandQueueApi(parts),
          orders: createOrdersApi(parts),
          limits: createLimitsApi(parts),
          rules: createCommandRulesApi(parts),
        },
        options,
      ).serve(pipe),
  };
}

function createCommandQueueApi({
  downloads,
  ask,
  isKnown,
}: CommandParts): Handlers<typeof commandContract>['queue'] {
  return {
    ...createQueueHandlers(downloads),
    noteFindings: ({ findings }) => downloads.noteFindings(findings),
    strandedOrders: () => {
      const transfers = downloads.transfers();
      const open = new Set(transfers.flatMap((one) => (isSettled(one.state) ? [] : [one.downloadId])));
      const orders = downloads
        .orders()
        .filter(({ downloadId, connectionId }) => open.has(downloadId) && !isKnown(connectionId))
        .map(({ downloadId, connectionId }) => ({ downloadId, connectionId }));
      return { orders };
    },
    handOver: async ({ downloadId, ...input }, emit, { signal }) => {
      const files = downloads.openFiles(downloadId);
      const catalogOf = (connectionId: string) => ask(connectionId, (catalog) => Promise.resolve(catalog));
      for await (const part of handOver({ ...input, files, catalogOf })) {
        if (signal.aborted) return;
        emit({ part: toPart(part) });
      }
      emit({ part: null });
    },
  };
}

function toPart(part: HandedOver) {
  if (!('why' in part)) return part;
  const { ref, assetKey } = part.file;
  return { itemId: ref.itemId, assetKey, why: part.why };
}

function createLimitsApi({ settings }: CommandParts): Handlers<typeof commandContract>['limits'] {
  const read = () => {
    const { maxConcurrentTransfers, transferLimits } = settings.current;
    return { maxConcurrentTransfers, transferLimits };
  };
  return {
    read,
    change: (limits) => {
      settings.change(limits);
      return read();
    },
  };
}
