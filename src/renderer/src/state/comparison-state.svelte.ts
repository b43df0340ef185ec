import type { ItemRow } from '#shared/stac/item-row.ts';
import type { SearchState } from './search-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type Comparison = Omit<Awaited<ReturnType<SwathClient['search']['compare']>>, 'page'>;

/** A run of a search. */
export type Run = Comparison['older'];

/** What became of an Item between two runs. */
export type DifferenceKind = 'added' | 'changed' | 'missing';

/** Two runs of a question beside each other. The answer that is shown holds what is different. */
export class ComparisonState {
  readonly #session: Session;
  readonly #search: SearchState;
  #comparison = $state.raw<(Comparison & { searchId: string }) | null>(null);
  #runs = $state.raw<readonly Run[]>([]);
  #loadNumber = 0;

  constructor(session: Session, search: SearchState) {
    this.#session = session;
    this.#search = search;
  }

  /** Null when the answer that is shown is no comparison. */
  get current(): Comparison | null {
    return this.#comparison?.searchId === this.#search.result?.searchId ? this.#comparison : null;
  }

  /** The runs to choose from, newest first. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** Rows of one kind. */
  rowsOf(kind: DifferenceKind): readonly ItemRow[] {
    if (!this.current) return [];
    const { addedCount, changedCount, missingCount } = this.current;
    const start = { added: 0, changed: addedCount, missing: addedCount + changedCount }[kind];
    const count = { added: addedCount, changed: changedCount, missing: missingCount }[kind];
    return this.#search.rows.slice(start, start + count);
  }

  /** Compares a run with the one before it. @throws AppError `saved.not-found` */
  async open(searchNumber: number): Promise<void> {
    const { runs } = await this.#session.client.saved.runs({ searchNumber });
    this.#runs = runs;
    const place = Math.max(
      0,
      runs.findIndex((run) => run.searchNumber === searchNumber),
    );
    const [newer, older] = [runs[place], runs[place + 1] ?? runs[place]];
    if (newer && older) await this.choose(older.searchNumber, newer.searchNumber);
  }

  /** Compares two runs. @throws AppError `saved.not-found` */
  async choose(olderNumber: number, newerNumber: number): Promise<void> {
    const number = ++this.#loadNumber;
    const { page, ...comparison } = await this.#session.client.search.compare({ olderNumber, newerNumber });
    if (number !== this.#loadNumber) return;
    const { addedCount, changedCount, missingCount } = comparison;
    this.#comparison = { ...comparison, searchId: page.searchId };
    await this.#search.show(page, { maxItems: Math.max(1, addedCount + changedCount + missingCount) });
  }
}
