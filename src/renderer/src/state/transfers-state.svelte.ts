import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import { OrderTracker, type OrderNews } from '#shared/transfer/order-tracker.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferFilter, TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { Transfer, TransferPriority, TransferState } from '#shared/transfer/transfer.ts';
import { noHistory, recordRate, type RateHistory } from './rate-history.ts';
import type { Session, SwathClient } from './session.svelte.ts';
import type { OrderSummary } from './order-summary.ts';
import { TransferTable } from './transfer-table.ts';

type Downloads = SwathClient['downloads'];
type TransfersEvent = Parameters<Parameters<Downloads['watch']>[1]['onEvent']>[0];

/** A cancellation that can be taken back for a while. */
export type Cancellation = Awaited<ReturnType<Downloads['cancel']>>;

/** How far a look at files that are done is. */
export type VerifyProgress = Parameters<Parameters<Downloads['verify']>[1]['onEvent']>[0];

const activeStates: readonly TransferState[] = ['preparing', 'downloading', 'verifying', 'finalizing'];
/** Neither settled nor about to be. */
const unfinishedStates: readonly TransferState[] = [...activeStates, 'queued', 'waiting'];

/** All orders and their transfers, as the program reports them. */
export class TransfersState {
  readonly #session: Session;
  readonly #tracker = new OrderTracker();
  readonly #newsListeners: ((news: readonly OrderNews[]) => void)[] = [];
  readonly #table = new TransferTable();
  /** Counts changes of what a list looks like, and any changes at all. */
  #shape = $state.raw(0);
  #change = $state.raw(0);
  #orders = $state.raw<readonly DownloadOrderView[]>([]);
  #queue = $state.raw<QueueStatus | null>(null);
  /** Whether the list has changed its looks since it was last shown. */
  #hasNewShape = false;
  /** Told, and shown with the transfers that they are told with. */
  #newOrders: readonly DownloadOrderView[] = [];
  #isLoaded = $state(false);
  #forgottenCount = $state(0);
  #rates = $state.raw<RateHistory>(noHistory);

  /** In no order; anew when transfers come, go, or change state or place. */
  readonly all: readonly Transfer[] = $derived(this.#readAfter(this.#shape).all());
  /** What is to be said of each order, by its id. */
  readonly summaries: ReadonlyMap<number, OrderSummary> = $derived(
    this.#readAfter(this.#change).summarise(this.#queue?.flows ?? []),
  );
  readonly active: readonly Transfer[] = $derived(
    this.#readAfter(this.#change)
      .all()
      .filter(({ state }) => activeStates.includes(state)),
  );

  /** How many have failed, or are missing or changed since they were done. */
  readonly spoiltCount: number = $derived(
    this.all.filter(({ state, finding }) => state === 'failed' || finding !== null).length,
  );

  /** What was cancelled last, and is not back. */
  lastCancel: Cancellation | null = null;

  /** Those that wait for something. */
  readonly waiting: readonly Transfer[] = $derived(
    this.#readAfter(this.#change)
      .all()
      .filter(({ state }) => state === 'waiting'),
  );
  /** Why each that waits does, and until when. */
  readonly waits: readonly NonNullable<Transfer['waiting']>[] = $derived(
    this.waiting.flatMap(({ waiting }) => waiting ?? []),
  );

  /** How far the orders under way are, from 0 to 1; null while there are none. */
  readonly fraction: number | null = $derived.by(() => {
    const underWay = [...this.summaries.values()].filter(({ isSettled }) => !isSettled);
    const sum = (of: 'receivedBytes' | 'totalBytes'): number =>
      underWay.reduce((total, summary) => total + summary[of], 0);
    return underWay.length === 0 ? null : sum('receivedBytes') / Math.max(1, sum('totalBytes'));
  });

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.downloads.watch({}, { onEvent: (event, sequence) => this.#take(event, sequence === 0) });
    });
  }

  /** Whether the program has reported its list. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** All orders. */
  get orders(): readonly DownloadOrderView[] {
    return this.#orders;
  }

  /** The queue as a whole; null until it is known. */
  get queue(): QueueStatus | null {
    return this.#queue;
  }

  /** How often the history was forgotten. */
  get forgottenCount(): number {
    return this.#forgottenCount;
  }

  /** What flowed in the last minutes. */
  get rates(): RateHistory {
    return this.#rates;
  }

  /** Transfers that are not at their end: working, queued or waiting. */
  get unfinishedCount(): number {
    const counts = this.#queue?.counts;
    return counts ? unfinishedStates.reduce((sum, state) => sum + counts[state], 0) : 0;
  }

  get totalBytesPerSecond(): number {
    return this.#queue?.bytesPerSecond ?? 0;
  }

  /** A transfer as it is now; null when it is gone. */
  find(transferId: number): Transfer | null {
    return this.#readAfter(this.#change).find(transferId);
  }

  findOrder(downloadId: number): DownloadOrderView | null {
    return this.#orders.find((order) => order.downloadId === downloadId) ?? null;
  }

  /** Calls back with what has to be told while the window watches. */
  onNews(listener: (news: readonly OrderNews[]) => void): void {
    this.#newsListeners.push(listener);
  }

  async pause(which: TransferFilter): Promise<void> {
    await this.#downloads.pause(which);
  }

  /** Goes on with paused and waiting transfers, and tries failed ones again. */
  async resume(which: TransferFilter): Promise<void> {
    await this.#downloads.resume(which);
  }

  /** Gives slots to these before all others. */
  async startNow(transferIds: readonly number[]): Promise<void> {
    await this.#downloads.startNow({ transferIds: transferIds.slice(0, 100) });
  }

  async cancel(which: TransferFilter): Promise<Cancellation> {
    const cancellation = await this.#downloads.cancel(which);
    if (cancellation.count > 0) this.lastCancel = cancellation;
    return cancellation;
  }

  /** How many are back: none of those that were taken off the list meanwhile. */
  async undoCancel(cancelId: number): Promise<number> {
    if (this.lastCancel?.cancelId === cancelId) this.lastCancel = null;
    return (await this.#downloads.undoCancel({ cancelId })).count;
  }

  /** Takes settled transfers off the list; files and history stay. */
  async remove(which: TransferFilter): Promise<number> {
    return (await this.#downloads.remove(which)).count;
  }

  async move(transferIds: readonly number[], place: TransferPlace): Promise<void> {
    await this.#downloads.move({ transferIds: [...transferIds], place });
  }

  async prioritise(which: TransferFilter, priority: TransferPriority): Promise<void> {
    await this.#downloads.prioritise({ which, priority });
  }

  /** Sends what is not done to another folder. */
  sendTo(which: TransferFilter, destination: string): ReturnType<Downloads['sendTo']> {
    return this.#downloads.sendTo({ which, destination });
  }

  async pauseQueue(): Promise<void> {
    await this.#downloads.pauseQueue({});
  }

  async resumeQueue(): Promise<void> {
    await this.#downloads.resumeQueue({});
  }

  async dismissNotice(): Promise<void> {
    await this.#downloads.dismissNotice({});
  }

  /** Reads files that are done again. Returns the way to stop. */
  verify(
    which: TransferFilter,
    to: { onProgress: (progress: VerifyProgress) => void; onError: (thrown: unknown) => void },
  ): () => void {
    return this.#downloads.verify(which, { onEvent: to.onProgress, onError: to.onError });
  }

  report(downloadId: number | null): ReturnType<Downloads['report']> {
    return this.#downloads.report({ downloadId });
  }

  history(page: { text: string; offset: number; limit: number }): ReturnType<Downloads['history']> {
    return this.#downloads.history(page);
  }

  async clearHistory(): Promise<void> {
    await this.#downloads.clearHistory({});
    this.#forgottenCount += 1;
  }

  details(transferId: number): ReturnType<Downloads['details']> {
    return this.#downloads.details({ transferId });
  }

  /** Opens a finished file with the program that the system has for it. */
  async openFile(transferId: number): Promise<void> {
    await this.#session.client.app.openFile({ transferId });
  }

  /** Shows a finished file in the system's file manager. */
  async showFile(transferId: number): Promise<void> {
    await this.#session.client.app.showFile({ transferId });
  }

  /** The table, as it is after some change: reading the count is what makes readers follow. */
  #readAfter(_change: number): TransferTable {
    return this.#table;
  }

  get #downloads(): Downloads {
    return this.#session.client.downloads;
  }

  #take({ changed, removed, orders, queue, isComplete }: TransfersEvent, isFirst: boolean): void {
    if (isFirst) {
      this.#table.clear();
      this.#tracker.clear();
      this.#isLoaded = false;
    }
    const news = this.#tracker.take({ changed, removed, isNews: this.#isLoaded, isComplete });
    const isReshaped = this.#table.take(changed, removed) || isFirst;
    this.#hasNewShape ||= isReshaped;
    this.#newOrders = orders ?? this.#newOrders;
    // What was done to thousands is shown at once, and a list that grows under the eyes would only flicker.
    if (!isComplete) return;
    this.#orders = this.#newOrders;
    this.#queue = queue;
    this.#rates = recordRate(this.#rates, queue.bytesPerSecond, Date.now());
    this.#isLoaded = true;
    if (this.#hasNewShape) this.#shape += 1;
    this.#hasNewShape = false;
    this.#change += 1;
    if (news.length > 0) for (const listener of this.#newsListeners) listener(news);
  }
}
