import { SvelteMap } from 'svelte/reactivity';
import { isSettled, type LinkMode, type Transfer } from '#shared/transfer/transfer.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type TransfersEvent = Parameters<Parameters<SwathClient['downloads']['watch']>[1]['onEvent']>[0];

/** What `start` needs to know. */
export interface DownloadRequest {
  ref: ItemRef;
  assetKeys: readonly string[];
  destination: string;
  links: LinkMode;
}

const activeStates: readonly Transfer['state'][] = ['preparing', 'downloading', 'verifying', 'finalizing'];

/** All transfers, as the program reports them. */
export class TransfersState {
  readonly #session: Session;
  readonly #finishListeners: ((finished: readonly Transfer[]) => void)[] = [];
  readonly #byId = new SvelteMap<number, Transfer>();
  #isLoaded = $state(false);

  /** Newest first. */
  readonly all = $derived([...this.#byId.values()].sort((a, b) => b.transferId - a.transferId));
  /** Transfers that work now. */
  readonly active = $derived(this.all.filter(({ state }) => activeStates.includes(state)));
  /** Transfers that are not at their end: working, queued or waiting. */
  readonly unfinished = $derived(this.all.filter(({ state }) => !isSettled(state)));
  readonly totalBytesPerSecond = $derived(
    this.active.reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0),
  );

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

  /** Calls back with transfers that came to an end, good or bad, while the window watched. */
  onFinish(listener: (finished: readonly Transfer[]) => void): void {
    this.#finishListeners.push(listener);
  }

  /** Queues assets of an item into a folder. */
  async start({ ref, assetKeys, destination, links }: DownloadRequest): Promise<void> {
    const { collectionId, itemId } = ref;
    await this.#session.client.downloads.start({
      collectionId,
      itemId,
      assetKeys: [...assetKeys],
      destination,
      links,
    });
  }

  async pause(transferId: number): Promise<void> {
    await this.#session.client.downloads.pause({ transferId });
  }

  /** Goes on with a paused transfer, or tries a failed or cancelled one again. */
  async resume(transferId: number): Promise<void> {
    await this.#session.client.downloads.resume({ transferId });
  }

  async cancel(transferId: number): Promise<void> {
    await this.#session.client.downloads.cancel({ transferId });
  }

  /** Takes a settled transfer off the list; files stay. */
  async remove(transferId: number): Promise<void> {
    await this.#session.client.downloads.remove({ transferId });
  }

  /** Shows a finished file in the system's file manager. */
  async showFile(transferId: number): Promise<void> {
    await this.#session.client.app.showFile({ transferId });
  }

  #take({ changed, removed }: TransfersEvent, isSnapshot: boolean): void {
    const finished = changed.filter(
      ({ transferId, state }) => isEnd(state) && !isEnd(this.#byId.get(transferId)?.state ?? 'queued'),
    );
    if (isSnapshot) this.#byId.clear();
    for (const transfer of changed) this.#byId.set(transfer.transferId, transfer);
    for (const transferId of removed) this.#byId.delete(transferId);
    this.#isLoaded = true;
    if (isSnapshot || finished.length === 0) return;
    for (const listener of this.#finishListeners) listener(finished);
  }
}

function isEnd(state: Transfer['state']): boolean {
  return state === 'done' || state === 'failed';
}
