import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import type { OrderProblem } from '#shared/transfer/download-order.ts';
import type { DownloadOrder, OrderedItem } from '../downloads.ts';
import { chooseAssets } from './choose-assets.ts';
import { createBroughtFinder, type Brought, type FindBrought } from './find-brought.ts';
import type { KnownTransfer, NewTransfer, OrderStore } from './order-store.ts';
import { toSnapshot } from './order-snapshot.ts';

/** A wanted file, with what the queue knows of it already. */
export interface WantedFile {
  transfer: NewTransfer;
  /** An unfinished transfer of it into the same folder. */
  queued: KnownTransfer | null;
  /** It was brought there before and is still there. */
  there: Brought | null;
}

/** One Item of an order, judged. */
export interface OrderContent {
  ref: ItemRef;
  /** As the queue keeps it; null where it can't be had. */
  snapshot: StacItem | null;
  files: WantedFile[];
  /** What was asked for by name and can't be had, to be shown beside the files. */
  failed: NewTransfer[];
  problems: OrderProblem[];
}

/** What judging needs. */
export interface ContentParts {
  orders: Pick<OrderStore, 'find'>;
  loadItem: (ref: ItemRef, connectionId: string) => Promise<IdentifiedItem>;
}

const sliceMs = 6;

/**
 * The Items of an order one by one, with the event loop left to others in between.
 * @throws AppError `cancelled`; what holds for every Item of a catalog
 */
export async function* readContent(
  parts: ContentParts,
  order: Pick<DownloadOrder, 'connectionId' | 'destination' | 'items'>,
  signal?: AbortSignal,
): AsyncGenerator<OrderContent> {
  let sliceEndMs = performance.now() + sliceMs;
  for await (const ordered of order.items) {
    if (performance.now() > sliceEndMs) {
      await yieldToOthers();
      sliceEndMs = performance.now() + sliceMs;
    }
    if (signal?.aborted) throw new AppError('cancelled', 'The order was given up');
    yield await judgeItem(parts, order, ordered);
  }
}

async function judgeItem(
  parts: ContentParts,
  order: { connectionId: string; destination: string },
  { ref, item, error, wanted }: OrderedItem,
): Promise<OrderContent> {
  let snapshot: StacItem;
  try {
    if (error) throw error;
    snapshot = toSnapshot(item ?? (await parts.loadItem(ref, order.connectionId)).item);
  } catch (thrown) {
    const failure = toAppError(thrown);
    if (!isOfOneItem(failure)) throw failure;
    return { ref, snapshot: null, files: [], failed: [], problems: [toProblem(ref, null, failure)] };
  }
  const findBrought = createBroughtFinder(order.destination, ref, snapshot);
  const content: OrderContent = { ref, snapshot, files: [], failed: [], problems: [] };
  for (const chosen of chooseAssets(snapshot, wanted)) {
    if ('error' in chosen) {
      content.problems.push(toProblem(ref, chosen.assetKey, chosen.error));
      if (chosen.failed) content.failed.push(chosen.failed);
    } else {
      const known = parts.orders.find({ ...order, ...ref, assetKey: chosen.transfer.assetKey });
      content.files.push(await judgeFile(chosen.transfer, known, findBrought));
    }
  }
  return content;
}

async function judgeFile(
  transfer: NewTransfer,
  known: readonly KnownTransfer[],
  findBrought: FindBrought,
): Promise<WantedFile> {
  const queued = known.findLast(({ state }) => state !== 'done') ?? null;
  return { transfer, queued, there: queued ? null : await findBrought(transfer, known) };
}

// What one Item lacks is told; a catalog that can't be reached, or a full disk, ends the order.
function isOfOneItem({ code }: AppError): boolean {
  return code.startsWith('stac.') || code === 'http.unexpected-status' || code === 'internal';
}

function toProblem(
  { collectionId, itemId }: ItemRef,
  assetKey: string | null,
  error: AppError,
): OrderProblem {
  return { collectionId, itemId, assetKey, error: error.toData() };
}
