import { runAtOnce, runInSlices } from './results-slices.ts';
import type { ResultTable } from './results-table.ts';
import { buildView, dependsOn, type ResultsView, type ViewWish } from './results-view.ts';

/** While rows and values stream in, the window is brought up to date this often. */
const refreshMs = 250;

/** Rows that are gone through within one frame; more are gone through in slices. */
const maxAtOnce = 4000;

/** What a builder needs of who wants the views. */
export interface ViewOwner {
  table: () => ResultTable;
  wish: () => ViewWish;
  /** The view that is shown. */
  current: () => ResultsView;
  onView: (view: ResultsView) => void;
  /** Values changed on which the order and the filters don't depend. */
  onValues: () => void;
}

/** Makes views: at once for a person, at most four a second for what streams in, and never in one long task. */
export class ViewBuilder {
  readonly #owner: ViewOwner;
  #job = 0;
  #isBusy = false;
  #isAgainWanted = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Columns whose values changed since the last view. */
  #changed = new Set<string>();

  constructor(owner: ViewOwner) {
    this.#owner = owner;
  }

  /** Makes the view now; one that is being made is given up. */
  buildNow(): void {
    void this.#build();
  }

  /** Makes the view within a quarter of a second. */
  buildSoon(): void {
    if (this.#isBusy) this.#isAgainWanted = true;
    else this.#timer ??= setTimeout(() => void this.#build(), refreshMs);
  }

  /** Takes note of new values in a column. */
  noteColumn(name: string): void {
    this.#changed.add(name);
    this.buildSoon();
  }

  /** Forgets what belongs to an earlier answer. */
  reset(): void {
    this.#changed = new Set();
    this.#isAgainWanted = false;
  }

  async #build(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const job = ++this.#job;
    const [table, wish, before] = [this.#owner.table(), this.#owner.wish(), this.#owner.current()];
    const changed = this.#changed;
    this.#changed = new Set();
    const isStale = [...changed].some((name) => dependsOn(wish, name));
    const work = buildView(table, wish, before.table === table && !isStale ? before : null);
    this.#isBusy = true;
    const isSmall = table.rows.length <= maxAtOnce;
    const view = isSmall ? runAtOnce(work) : await runInSlices(work, () => job === this.#job);
    if (view === null || job !== this.#job) {
      // What this view didn't bring, the next one has to.
      for (const name of changed) this.#changed.add(name);
      return;
    }
    this.#isBusy = false;
    this.#owner.onView(view);
    if (changed.size > 0) this.#owner.onValues();
    if (this.#isAgainWanted || this.#changed.size > 0) {
      this.#isAgainWanted = false;
      this.buildSoon();
    }
  }
}
