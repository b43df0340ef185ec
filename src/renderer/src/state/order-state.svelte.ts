import type { S3Access } from '#shared/connection/s3-access.ts';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { OrderOrigin, OrderPlan, OrderProgress } from '#shared/transfer/download-order.ts';
import type { LinkMode, TransferPriority } from '#shared/transfer/transfer.ts';
import { AssetChoiceState } from './asset-choice-state.svelte.ts';
import type { Session } from './session.svelte.ts';

/** What a person wants to order from. */
export interface OrderWish {
  refs: readonly ItemRef[];
  /** What the order is called unless it is given another name. */
  title: string;
  origin: OrderOrigin;
  /** Whether the answer that the items are of has more, which has not come yet. */
  isPart?: boolean;
  /** Which assets; kept where the person changes it. */
  choice: AssetChoiceState;
}

/** How an order is to be given. */
export interface OrderOptions {
  title: string;
  links: LinkMode;
  priority: TransferPriority;
  /** Whether the person's own AWS credentials may be used for it; left out: as the catalog is set up. */
  s3Access?: S3Access;
  signal: AbortSignal;
}

/** Changes that come in quick succession are planned together. */
const settleMs = 250;

/** An order before it is given: what it would bring, and giving it. */
export class OrderState {
  readonly #session: Session;
  #wish = $state.raw<OrderWish | null>(null);
  #plan = $state.raw<OrderPlan | null>(null);
  #isPlanning = $state(false);
  #error = $state.raw<AppError | null>(null);
  #progress = $state.raw<OrderProgress | null>(null);
  /** The folder that the plan is for. */
  #destination: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #planning: AbortController | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** What is being ordered; null while nothing is. */
  get wish(): OrderWish | null {
    return this.#wish;
  }

  /** What it would bring, as far as it was last looked at; null before that. */
  get plan(): OrderPlan | null {
    return this.#plan;
  }

  get isPlanning(): boolean {
    return this.#isPlanning;
  }

  /** Why there is no plan. */
  get error(): AppError | null {
    return this.#error;
  }

  /** How far it is written down; null while it isn't. */
  get progress(): OrderProgress | null {
    return this.#progress;
  }

  /** Begins an order from what is chosen elsewhere. */
  ask(wish: OrderWish): void {
    this.#forget();
    this.#wish = wish;
  }

  /** Begins an order of these, with assets chosen for it alone. */
  askFor(wish: Omit<OrderWish, 'choice'>, rule: AssetRule | null): void {
    const choice = new AssetChoiceState(this.#session);
    if (rule) choice.setRule(rule);
    this.ask({ ...wish, choice });
  }

  close(): void {
    this.#forget();
    this.#wish = null;
  }

  /** Looks at what these assets into this folder would bring. A plan that is there stays until the new one is. */
  planFor(rule: AssetRule, destination: string): void {
    clearTimeout(this.#timer);
    this.#planning?.abort();
    // What it says of one disk is wrong of another.
    if (destination !== this.#destination) this.#plan = null;
    this.#destination = destination;
    this.#isPlanning = true;
    this.#timer = setTimeout(() => void this.#look(rule, destination), settleMs);
  }

  /** There is nothing to look at. */
  forgetPlan(): void {
    clearTimeout(this.#timer);
    this.#planning?.abort();
    this.#isPlanning = false;
    this.#plan = null;
    this.#error = null;
  }

  /**
   * Gives the order, all of it or nothing; resolves to how it went, to null when it was stopped.
   * @throws AppError when nothing can be ordered
   */
  give(rule: AssetRule, destination: string, options: OrderOptions): Promise<OrderProgress | null> {
    const { signal, ...how } = options;
    const wish = this.#wish;
    if (!wish) return Promise.resolve(null);
    const input = { ...how, refs: toRefs(wish.refs), rule, destination, origin: wish.origin };
    return new Promise<OrderProgress | null>((resolve, reject) => {
      const stop = this.#session.client.downloads.order(input, {
        onEvent: (progress) => {
          this.#progress = progress;
          if (progress.isQueued) resolve(progress);
        },
        onError: (thrown) => reject(toAppError(thrown)),
      });
      signal.addEventListener('abort', () => {
        stop();
        resolve(null);
      });
    }).finally(() => (this.#progress = null));
  }

  async #look(rule: AssetRule, destination: string): Promise<void> {
    const wish = this.#wish;
    if (!wish) return;
    const controller = new AbortController();
    this.#planning = controller;
    try {
      const input = { refs: toRefs(wish.refs), rule, destination };
      const plan = await this.#session.client.downloads.plan(input, { signal: controller.signal });
      if (this.#planning !== controller) return;
      this.#plan = plan;
      this.#error = null;
    } catch (thrown) {
      if (this.#planning !== controller || controller.signal.aborted) return;
      this.#plan = null;
      this.#error = toAppError(thrown);
    }
    this.#isPlanning = false;
  }

  #forget(): void {
    this.forgetPlan();
    this.#planning = null;
    this.#progress = null;
  }
}

function toRefs(refs: readonly ItemRef[]): ItemRef[] {
  return refs.map(({ collectionId, itemId }) => ({ collectionId, itemId }));
}
