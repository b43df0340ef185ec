import { AppError } from '#shared/errors/app-error.ts';
import type { commandContract } from '#shared/rpc/command-contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { toGatheredItem } from '#shared/transfer/gathered-item.ts';
import { createBasket } from './basket.ts';
import type { CommandParts } from './command-parts.ts';
import { findSaved } from './find-saved.ts';
import { searchSaved } from './search-saved.ts';

/** Handlers of `orders`, with a basket of their own. */
export function createOrdersApi(parts: CommandParts): Handlers<typeof commandContract>['orders'] {
  const { downloads } = parts;
  const basket = createBasket();
  const count = () => ({ itemCount: basket.itemCount });

  function need(connectionId: string): string {
    if (parts.isKnown(connectionId)) return connectionId;
    throw new AppError(
      'connection.not-found',
      'The Swath that has the queue does not know this catalog. Set it up in its window under Settings: tokens and secrets of a command are not handed on to it.',
      { details: { connectionId } },
    );
  }

  return {
    gather: ({ items }) => {
      for (const item of items) basket.add(item);
      return count();
    },
    gatherSaved: async ({ connectionId, name }, { signal }) => {
      const { name: itsName, question } = findSaved(parts, { connectionId: need(connectionId), name });
      await parts.ask(connectionId, async (catalog) => {
        for await (const one of searchSaved(catalog, question, signal)) basket.add(toGatheredItem(one));
      });
      return { ...count(), name: itsName };
    },
    plan: ({ connectionId, destination, wanted }, { signal }) =>
      downloads.plan(
        { connectionId: need(connectionId), destination, items: basket.unpack(wanted) },
        { signal },
      ),
    place: ({ connectionId, wanted, ...order }, { signal, askKey }) =>
      downloads.order(
        {
          ...order,
          connectionId: need(connectionId),
          items: basket.unpack(wanted),
          itemCount: basket.itemCount,
        },
        { signal, askKey },
      ),
  };
}
