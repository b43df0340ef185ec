import {
  isUnderWay,
  type OfflineChoice,
  type OfflineJob,
  type TakenJob,
} from '#shared/offline/offline-job.ts';
import type { OfflineEstimate } from '#shared/offline/offline-estimate.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { AssetChoiceState } from './asset-choice-state.svelte.ts';
import type { Run } from './comparison-state.svelte.ts';
import type { Session } from './session.svelte.ts';

/** What a person wants to take offline, before they have said how. */
export interface OfflineWish {
  name: string;
  question: SavedQuestion;
  /** Whether time and collections are still to be chosen: the wish is for an area. */
  isOpen: boolean;
}

/** What is being taken offline, and what was. Of the catalog in use. */
export class TakeOfflineState {
  /** Which assets are wanted, chosen by the items that were looked at. */
  readonly assetChoice: AssetChoiceState;
  readonly #session: Session;
  #jobs = $state.raw<readonly TakenJob[]>([]);
  #isLoaded = $state(false);
  #wish = $state.raw<OfflineWish | null>(null);
  readonly #endListeners: ((job: OfflineJob) => void)[] = [];

  /** Jobs that go on by themselves. */
  readonly underWay = $derived.by(() => this.#jobs.filter(isUnderWay));

  constructor(session: Session) {
    this.#session = session;
    this.assetChoice = new AssetChoiceState(session);
    session.onOpen((client) => {
      client.takeOffline.watch({}, { onEvent: ({ jobs }) => this.#take(jobs) });
    });
  }

  /** Newest first. */
  get jobs(): readonly TakenJob[] {
    return this.#jobs;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** What the dialog asks about; null while it is closed. */
  get wish(): OfflineWish | null {
    return this.#wish;
  }

  /** Opens the dialog. */
  ask(wish: OfflineWish): void {
    this.#wish = wish;
  }

  /** Closes the dialog. */
  forgetWish(): void {
    this.#wish = null;
    this.assetChoice.follow([]);
  }

  /** Calls back with each job that came to its end while the window looked. */
  onEnd(listener: (job: OfflineJob) => void): void {
    this.#endListeners.push(listener);
  }

  /** How much a question would be. @throws AppError as the catalog's */
  estimate(question: SavedQuestion, signal: AbortSignal): Promise<OfflineEstimate & { sample: ItemRef[] }> {
    return this.#session.client.takeOffline.estimate({ question }, { signal });
  }

  /** @throws AppError `transfer.destination-missing`, `transfer.destination-not-writable` */
  async start(order: { name: string; question: SavedQuestion; choice: OfflineChoice }): Promise<void> {
    await this.#session.client.takeOffline.start(order);
  }

  /** What a job asks, and the record of what it brought, where there is one. @throws AppError `saved.not-found` */
  questionOf({ jobId }: OfflineJob): Promise<{ question: SavedQuestion; run: Run | null }> {
    return this.#session.client.takeOffline.question({ jobId });
  }

  /** Stops for now. */
  async pause({ jobId }: OfflineJob): Promise<void> {
    await this.#session.client.takeOffline.pause({ jobId });
  }

  /** Goes on, and tries again what failed. */
  async goOn({ jobId }: OfflineJob): Promise<void> {
    await this.#session.client.takeOffline.goOn({ jobId });
  }

  /** Ends it; what came stays. */
  async cancel({ jobId }: OfflineJob): Promise<void> {
    await this.#session.client.takeOffline.cancel({ jobId });
  }

  /** Takes it off the list; what came stays. */
  async remove({ jobId }: OfflineJob): Promise<void> {
    await this.#session.client.takeOffline.remove({ jobId });
  }

  /** Undoes `remove`. */
  async restore({ jobId }: OfflineJob): Promise<void> {
    await this.#session.client.takeOffline.restore({ jobId });
  }

  #take(jobs: readonly TakenJob[]): void {
    const before = this.#jobs;
    this.#jobs = jobs;
    this.#isLoaded = true;
    for (const job of jobs) {
      const was = before.find(({ jobId }) => jobId === job.jobId);
      const hasEnded = job.state === 'done' || job.state === 'failed';
      if (was && isUnderWay(was) && hasEnded) for (const listener of this.#endListeners) listener(job);
    }
  }
}
