import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import { toQuestionKey } from '#shared/search/question-outline.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { QuestionState } from './question-state.svelte.ts';
import type { SearchState } from './search-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** A question that a person gave a name. */
export type SavedSearch = Awaited<ReturnType<SwathClient['saved']['save']>>;

/** A search that was made. */
export type PastSearch = Awaited<ReturnType<SwathClient['saved']['history']>>['searches'][number];

/** A look for new items in several saved searches, one after the other. */
export interface NewsRound {
  /** The one that is being asked now. */
  savedSearchId: number;
  doneCount: number;
  count: number;
}

/** The saved searches of the catalog in use, what is new in them, and the searches that were made. */
export class SavedState {
  readonly #session: Session;
  readonly #question: QuestionState;
  readonly #search: SearchState;
  #searches = $state.raw<readonly SavedSearch[]>([]);
  #history = $state.raw<readonly PastSearch[] | null>(null);
  #historyError = $state.raw<AppError | null>(null);
  #round = $state.raw<NewsRound | null>(null);
  #roundError = $state.raw<{ savedSearchId: number; error: AppError } | null>(null);
  #abort: AbortController | null = null;
  #loadNumber = 0;
  /** The search that was saved while its answer was shown, and as what. */
  #savedLook: { searchId: string; savedSearchId: number } | null = null;
  /** Rows of the answer that came on the screen, and whether they are being noted. */
  #shownCount = 0;
  #isNoting = false;

  /** The saved search whose question is the one being put together; null when it has no name. */
  readonly current = $derived.by(() => {
    if (this.#searches.length === 0) return null;
    const key = toQuestionKey(this.#question);
    return this.#searches.find(({ outline }) => outline.key === key) ?? null;
  });
  /** Items that the last checks found, in all saved searches. */
  readonly newCount = $derived(this.#searches.reduce((sum, { news }) => sum + (news?.count ?? 0), 0));

  constructor(session: Session, { question, search }: { question: QuestionState; search: SearchState }) {
    this.#session = session;
    this.#question = question;
    this.#search = search;
    session.onOpen((client) => {
      client.saved.watch({}, { onEvent: ({ searches }) => (this.#searches = searches) });
    });
    search.onRows(({ isNew, givenIndexes }) => {
      if (isNew) this.#shownCount = 0;
      this.#shownCount = Math.max(this.#shownCount, (givenIndexes.at(-1) ?? -1) + 1);
      void this.#noteShown();
    });
  }

  get searches(): readonly SavedSearch[] {
    return this.#searches;
  }

  /** Latest first; null before it was loaded. */
  get history(): readonly PastSearch[] | null {
    return this.#history;
  }

  get historyError(): AppError | null {
    return this.#historyError;
  }

  /** The look for new items that is on its way; null when none is. */
  get round(): NewsRound | null {
    return this.#round;
  }

  /** Why the last look for new items ended early, and at which search. */
  get roundError(): { savedSearchId: number; error: AppError } | null {
    return this.#roundError;
  }

  /**
   * Saves the question being put together. What is shown counts as seen where it answers that question.
   * @throws AppError `saved.name-taken`
   */
  async save(name: string): Promise<void> {
    const { query, localFilter } = this.#question;
    const { asked, result } = this.#search;
    const isAnswered = asked !== null && result !== null && toQueryKey(asked.query) === toQueryKey(query);
    const { savedSearchId } = await this.#session.client.saved.save({
      name,
      question: { query, localFilter, maxItems: this.#question.draft.maxItems },
      shown: isAnswered ? { searchId: result.searchId, shownCount: this.#shownCount } : null,
    });
    if (!isAnswered) return;
    // What still comes of this answer is shown as well.
    this.#savedLook = { searchId: result.searchId, savedSearchId };
    void this.#noteShown();
  }

  /** @throws AppError `saved.name-taken`, `saved.not-found` */
  async rename(savedSearchId: number, name: string): Promise<void> {
    await this.#session.client.saved.rename({ savedSearchId, name });
  }

  /** Takes it off the list; `restore` undoes that. */
  async remove(savedSearchId: number): Promise<void> {
    await this.#session.client.saved.remove({ savedSearchId });
  }

  /** @throws AppError `saved.name-taken` when its name was given to another meanwhile */
  async restore(savedSearchId: number): Promise<void> {
    await this.#session.client.saved.restore({ savedSearchId });
  }

  /** Asks for what is new in these saved searches, one after the other, until all are done or one fails. */
  async lookForNew(searches: readonly SavedSearch[]): Promise<void> {
    this.stopLooking();
    const abort = new AbortController();
    this.#abort = abort;
    this.#roundError = null;
    for (const [doneCount, { savedSearchId }] of searches.entries()) {
      this.#round = { savedSearchId, doneCount, count: searches.length };
      try {
        await this.#session.client.saved.check({ savedSearchId }, { signal: abort.signal });
      } catch (thrown) {
        if (!abort.signal.aborted) this.#roundError = { savedSearchId, error: toAppError(thrown) };
        break;
      }
    }
    if (this.#abort === abort) this.#round = null;
  }

  /** Ends the look for new items; what was found stays. */
  stopLooking(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#round = null;
  }

  /** What a saved search asks. @throws AppError `saved.not-found` */
  questionOf(savedSearchId: number): Promise<SavedQuestion> {
    return this.#session.client.saved.question({ savedSearchId });
  }

  /** What a search that was made asked. @throws AppError `saved.not-found` */
  pastQuestionOf(searchNumber: number): Promise<Omit<SavedQuestion, 'maxItems'>> {
    return this.#session.client.saved.pastQuestion({ searchNumber });
  }

  /** Loads the searches that were made. */
  async loadHistory(): Promise<void> {
    const loadNumber = ++this.#loadNumber;
    try {
      const { searches } = await this.#session.client.saved.history({});
      if (loadNumber !== this.#loadNumber) return;
      this.#history = searches;
      this.#historyError = null;
    } catch (thrown) {
      if (loadNumber === this.#loadNumber) this.#historyError = toAppError(thrown);
    }
  }

  /** Gives up what is on its way and forgets the searches that were made: another catalog is in use. */
  forget(): void {
    this.stopLooking();
    this.#roundError = null;
    this.#loadNumber += 1;
    this.#history = null;
    this.#historyError = null;
  }

  // One call at a time; what came on the screen meanwhile goes with the next one.
  async #noteShown(): Promise<void> {
    if (this.#isNoting) return;
    this.#isNoting = true;
    for (let noted = -1; noted !== this.#shownCount;) {
      const { asked, result } = this.#search;
      noted = this.#shownCount;
      const isSavedNow = this.#savedLook !== null && this.#savedLook.searchId === result?.searchId;
      const savedSearchId = isSavedNow ? this.#savedLook?.savedSearchId : asked?.savedSearchId;
      if (!result || savedSearchId == null) break;
      const shown = { searchId: result.searchId, shownCount: noted };
      // Not noted is new again next time: nothing is lost by it.
      await this.#session.client.saved.markSeen({ savedSearchId, ...shown }).catch(() => undefined);
    }
    this.#isNoting = false;
  }
}
