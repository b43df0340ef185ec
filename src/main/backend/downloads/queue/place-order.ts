import { AppError } from '#shared/errors/app-error.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import {
  maxOrderedFiles,
  maxProblemsTold,
  type OrderProblem,
  type OrderProgress,
} from '#shared/transfer/download-order.ts';
import type { Clock } from '../../ports.ts';
import type { DownloadOrder } from '../downloads.ts';
import { inSlices } from './in-slices.ts';
import type { AnswerStore } from './answer-store.ts';
import type { LazyWrites } from './lazy-writes.ts';
import { readContent, type ContentParts, type WantedFile } from './order-content.ts';
import type { CommitOptions, NewTransfer, OrderedTransfer, OrderStore } from './order-store.ts';
import { priorityNumbers } from './rank-store.ts';

// Items written in one step while an order is written down.
const itemsPerWrite = 50;
const tellEveryMs = 150;
// Transfers that come with the step that puts an order into the queue: all of a small one.
const perCommit = 200;

/** What an order is written down with. */
export interface PlaceParts extends ContentParts {
  orders: OrderStore;
  answers: AnswerStore;
  lazy: LazyWrites;
  clock: Clock;
}

/** An order that is in the queue, and what it took over from earlier ones. */
export interface PlacedOrder {
  progress: OrderProgress;
  adoptedIds: number[];
}

/** How an order is given. */
export interface PlaceOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: OrderProgress) => void) | undefined;
  /** Files that are there are ordered all the same, to be looked at by whoever runs them. */
  includesThere?: boolean;
  /** False: what is in the queue already stays as it is. */
  takesOver?: boolean;
  /** The answer is kept by it, by the step that puts the order into the queue. */
  askKey?: string | undefined;
}

/**
 * Writes an order down and puts it into the queue in one durable step; before that, nothing of it is seen. What it takes
 * over is in the queue all along.
 * @throws AppError as `readContent`; `input.too-large`
 */
export async function placeOrder(
  parts: PlaceParts,
  order: DownloadOrder,
  { signal, onProgress, includesThere = false, takesOver = true, askKey }: PlaceOptions = {},
): Promise<PlacedOrder> {
  const { orders, lazy, clock } = parts;
  const { connectionId, destination, links: linkMode, title, origin, priority, s3Access = null } = order;
  const what = { connectionId, destination, linkMode, s3Access, title, origin };
  const header = { ...what, createdAtMs: clock.now() };
  const downloadId = orders.begin(header);
  const written = new WrittenOrder({ orders, lazy }, downloadId, order.itemCount);
  let adoptedIds: number[] = [];
  try {
    for await (const { files, failed, ...content } of readContent(parts, order, signal)) {
      const missing = files.filter(({ there }) => includesThere || there === null);
      const wanted = missing.filter(({ queued }) => takesOver || queued === null);
      const thereCount = files.length - missing.length;
      const shown = wanted.length === 0 ? [] : failed.map(toWanted);
      written.add({ ...content, files: [...wanted, ...shown], thereCount });
      written.tell(onProgress);
    }
    const transfers = written.finish();
    if (signal?.aborted) throw new AppError('cancelled', 'The order was given up');
    const options = { priority: priorityNumbers[priority], nowMs: clock.now() };
    const answer = { askKey, progress: written.progress(true) };
    if (transfers.length > 0)
      adoptedIds = await putInQueue(parts, { downloadId, transfers, options, answer });
    else orders.discard(downloadId);
  } catch (thrown) {
    orders.discard(downloadId);
    throw thrown;
  }
  const progress = written.progress(true);
  onProgress?.(progress);
  return { progress, adoptedIds };
}

async function putInQueue(
  { orders, answers, lazy }: PlaceParts,
  order: {
    downloadId: number;
    transfers: readonly OrderedTransfer[];
    options: CommitOptions;
    answer: { askKey: string | undefined; progress: OrderProgress };
  },
): Promise<number[]> {
  const { downloadId, transfers, options, answer } = order;
  const [taken, added] = [transfers.filter(isTakenOver), transfers.filter((one) => !isTakenOver(one))];
  const [early, last] = [added.slice(0, -perCommit), added.slice(-perCommit)];
  await inSlices(early, (slice) => lazy.write(() => void orders.addTransfers(downloadId, slice, options)));
  // The step that puts it into the queue would wait for all of this else.
  if (early.length > 0) await lazy.settle();
  let adoptedIds: number[] = [];
  answers.once(answer.askKey, () => {
    adoptedIds = orders.commit(downloadId, [...last, ...taken], options);
    return answer.progress;
  });
  return adoptedIds;
}

function isTakenOver({ adoptId }: OrderedTransfer): boolean {
  return adoptId !== null;
}

function toWanted(transfer: NewTransfer): WantedFile {
  return { transfer, queued: null, there: null };
}

interface WrittenItem {
  ref: ItemRef;
  snapshot: StacItem | null;
  files: readonly WantedFile[];
  thereCount: number;
  problems: readonly OrderProblem[];
}

/** What of an order is written down so far. Items go to disk at once; of files little is kept until the end. */
class WrittenOrder {
  readonly #parts: Pick<PlaceParts, 'orders' | 'lazy'>;
  readonly #downloadId: number;
  readonly #itemCount: number;
  readonly #transfers: OrderedTransfer[] = [];
  readonly #problems: OrderProblem[] = [];
  #pending: { ref: ItemRef; item: StacItem; files: readonly WantedFile[] }[] = [];
  #pendingFiles = 0;
  #problemCount = 0;
  #doneItemCount = 0;
  #thereCount = 0;
  #toldAtMs = performance.now();

  constructor(parts: Pick<PlaceParts, 'orders' | 'lazy'>, downloadId: number, itemCount: number) {
    this.#parts = parts;
    this.#downloadId = downloadId;
    this.#itemCount = itemCount;
  }

  add({ ref, snapshot, files, thereCount, problems }: WrittenItem): void {
    this.#doneItemCount += 1;
    this.#thereCount += thereCount;
    this.#problemCount += problems.length;
    this.#problems.push(...problems.slice(0, Math.max(0, maxProblemsTold - this.#problems.length)));
    if (snapshot === null || files.length === 0) return;
    this.#pending.push({ ref, item: snapshot, files });
    this.#pendingFiles += files.length;
    const fileCount = this.#transfers.length + this.#pendingFiles;
    if (fileCount > maxOrderedFiles) {
      const why = `one order takes at most ${maxOrderedFiles} files`;
      throw new AppError('input.too-large', why, { details: { field: 'refs', limit: maxOrderedFiles, why } });
    }
    if (this.#pending.length >= itemsPerWrite) this.#write();
  }

  finish(): readonly OrderedTransfer[] {
    this.#write();
    return this.#transfers;
  }

  tell(onProgress: ((progress: OrderProgress) => void) | undefined): void {
    const nowMs = performance.now();
    if (!onProgress || nowMs - this.#toldAtMs < tellEveryMs) return;
    this.#toldAtMs = nowMs;
    onProgress(this.progress(false));
  }

  progress(isQueued: boolean): OrderProgress {
    const fileCount = this.#transfers.length + this.#pendingFiles;
    return {
      downloadId: isQueued && fileCount === 0 ? null : this.#downloadId,
      itemCount: this.#itemCount,
      doneItemCount: this.#doneItemCount,
      fileCount,
      thereCount: this.#thereCount,
      problemCount: this.#problemCount,
      problems: [...this.#problems],
      isQueued,
    };
  }

  #write(): void {
    const pending = this.#pending;
    const { orders, lazy } = this.#parts;
    const keys = lazy.write(() => orders.addItems(this.#downloadId, pending));
    pending.forEach(({ files }, index) => {
      for (const { transfer, queued } of files)
        this.#transfers.push({ itemPk: keys[index] ?? 0, transfer, adoptId: queued?.transferId ?? null });
    });
    this.#pending = [];
    this.#pendingFiles = 0;
  }
}
