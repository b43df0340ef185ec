import type { QuestionOutline } from '#shared/search/question-outline.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { createPinTest } from './pinned-keys.ts';
import type { Session } from './session.svelte.ts';

/** What a person wants to stay in the library whatever its limits. Of the catalog in use. */
export class PinsState {
  readonly #session: Session;
  #isSearchPinned = $state.raw(createPinTest([]));
  #areaIds = $state.raw<readonly number[]>([]);
  #collectionIds = $state.raw<readonly string[]>([]);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.storage.watchPins(
        {},
        {
          onEvent: ({ queryKeys, areaIds, collectionIds }) => {
            this.#isSearchPinned = createPinTest(queryKeys);
            this.#areaIds = areaIds;
            this.#collectionIds = collectionIds;
          },
        },
      );
    });
  }

  /** Whether the items of a question stay. */
  isSearchPinned(outline: QuestionOutline): boolean {
    return this.#isSearchPinned(outline);
  }

  isAreaPinned(areaId: number): boolean {
    return this.#areaIds.includes(areaId);
  }

  isCollectionPinned(collectionId: string): boolean {
    return this.#collectionIds.includes(collectionId);
  }

  async pinSearch(query: SearchQuery, isPinned: boolean): Promise<void> {
    await this.#set({ kind: 'search', query }, isPinned);
  }

  async pinArea(areaId: number, isPinned: boolean): Promise<void> {
    await this.#set({ kind: 'area', areaId }, isPinned);
  }

  async pinCollection(collectionId: string, isPinned: boolean): Promise<void> {
    await this.#set({ kind: 'collection', collectionId }, isPinned);
  }

  async #set(pin: Parameters<Session['client']['storage']['pin']>[0], isPinned: boolean): Promise<void> {
    const { storage } = this.#session.client;
    await (isPinned ? storage.pin(pin) : storage.unpin(pin));
  }
}
