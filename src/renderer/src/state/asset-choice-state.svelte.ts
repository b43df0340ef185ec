import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { noAssets, type AssetRule } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { Folder } from './folders.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type Selection = SwathClient['selection'];

/** What assets the picked items have. */
export type AssetSummary = Parameters<Parameters<Selection['assets']>[1]['onEvent']>[0];

/** One asset of many items. */
export type AssetKind = AssetSummary['kinds'][number];

/** What the rule chooses. */
export type AssetTotal = Awaited<ReturnType<Selection['total']>>;

/** Picks that come in quick succession are looked at together. */
const settleMs = 200;
/** Where more are picked, their assets are looked at when a person asks to download. */
const maxFollowed = 500;

/** Which assets of the picked items are wanted, how much that is, and where it goes. */
export class AssetChoiceState {
  readonly #session: Session;
  #refs: readonly ItemRef[] = [];
  #close: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #summary = $state.raw<AssetSummary | null>(null);
  #error = $state.raw<AppError | null>(null);
  #rule = $state.raw<AssetRule>(noAssets);
  #isRuleEdited = false;
  #total = $state.raw<AssetTotal | null>(null);
  #isTotalling = false;
  #isTotalStale = false;
  #folder = $state.raw<Folder | null>(null);

  constructor(session: Session) {
    this.#session = session;
    // A selection lives in the program only as long as the connection.
    session.onOpen(() => this.#refs.length > 0 && this.#open());
  }

  /** What the items have; null before anything is known. Its numbers grow until `isDone`. */
  get summary(): AssetSummary | null {
    return this.#summary;
  }

  /** Why the items can't be looked at. */
  get error(): AppError | null {
    return this.#error;
  }

  get rule(): AssetRule {
    return this.#rule;
  }

  /** What the rule chooses; null before it is known. */
  get total(): AssetTotal | null {
    return this.#total;
  }

  /** Where files go unless another folder is chosen; null until the program has said so. */
  get folder(): Folder | null {
    return this.#folder;
  }

  /** Keeps up with what is picked, as long as that is little. */
  follow(refs: readonly ItemRef[]): void {
    clearTimeout(this.#timer);
    if (refs === this.#refs) return;
    if (refs.length === 0 || refs.length > maxFollowed) this.#forget(refs);
    else this.#timer = setTimeout(() => this.lookAt(refs), settleMs);
  }

  /** Looks at what these items have, however many. */
  lookAt(refs: readonly ItemRef[]): void {
    clearTimeout(this.#timer);
    if (refs === this.#refs && this.#close) return;
    this.#refs = refs;
    this.#open();
    void this.#learnFolder();
  }

  setRule(rule: AssetRule): void {
    this.#rule = rule;
    this.#isRuleEdited = true;
    void this.#sum();
  }

  /** Takes another folder. */
  setFolder(folder: Folder): void {
    this.#folder = folder;
  }

  #forget(refs: readonly ItemRef[]): void {
    this.#close?.();
    this.#close = null;
    this.#refs = refs;
    this.#summary = null;
    this.#total = null;
    this.#error = null;
    if (refs.length === 0) this.#isRuleEdited = false;
  }

  // What was known stays until the new is there: while one more is picked, the line must not flicker.
  #open(): void {
    this.#close?.();
    this.#error = null;
    this.#close = this.#session.client.selection.assets(
      { refs: this.#refs.map(({ collectionId, itemId }) => ({ collectionId, itemId })) },
      {
        onEvent: (summary) => this.#take(summary),
        onError: (thrown) => {
          this.#close = null;
          this.#error = toAppError(thrown);
        },
      },
    );
  }

  #take(summary: AssetSummary): void {
    this.#summary = summary;
    if (!this.#isRuleEdited) this.#rule = summary.lastRule ?? noAssets;
    void this.#sum();
  }

  async #sum(): Promise<void> {
    this.#isTotalStale = true;
    if (this.#isTotalling) return;
    this.#isTotalling = true;
    while (this.#isTotalStale && this.#summary) {
      this.#isTotalStale = false;
      const { selectionId } = this.#summary;
      const total = await this.#totalOf(selectionId);
      if (total !== null && this.summary?.selectionId === selectionId) this.#total = total;
    }
    this.#isTotalling = false;
  }

  // Null where the selection was closed meanwhile: the next one has its own total.
  #totalOf(selectionId: string): Promise<AssetTotal | null> {
    const { total } = this.#session.client.selection;
    return total({ selectionId, rule: this.#rule }).catch(() => null);
  }

  async #learnFolder(): Promise<void> {
    try {
      const folder = await this.#session.client.folders.suggested({});
      this.#folder = this.#folder?.path === folder.path || !this.#folder ? folder : this.#folder;
    } catch {
      // Without it the free space isn't shown; choosing a folder says what is wrong.
    }
  }
}
