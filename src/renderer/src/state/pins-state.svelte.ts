import { toQuestionKey, type QuestionOutline } from '#shared/search/question-outline.ts';
import { searchQuerySchema, type SearchQuery } from '#shared/search/search-query.ts';
import type { Session } from './session.svelte.ts';

/** What a person wants to stay in the library whatever its limits. Of the catalog in use. */
export class PinsState {
  readonly #session: Session;
  #queries = $state.raw<readonly SearchQuery[]>([]);
  #areaIds = $state.raw<ReadonlySet<number>>(new Set());
  #collectionIds = $state.raw<ReadonlySet<string>>(new Set());
  /** Keys of the pinned questions, by the local filter that a row has beside them: `isSearchPinned` asks for each row. */
  readonly #keysByFilter = $derived.by(() => {
    const queries = this.#queries;
    const known = new Map<number | null, ReadonlySet<string>>();
    return (localFilter: QuestionOutline['localFilter']): ReadonlySet<string> => {
      const below = localFilter?.cloudCoverBelow ?? null;
      const keys = known.get(below) ?? new Set(queries.map((query) => toQuestionKey({ query, localFilter })));
      known.set(below, keys);
      return keys;
    };
  });

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.storage.watchPins(
        {},
        {
          onEvent: ({ queryKeys, areaIds, collectionIds }) => {
            this.#queries = queryKeys.flatMap(readQuery);
            this.#areaIds = new Set(areaIds);
            this.#collectionIds = new Set(collectionIds);
          },
        },
      );
    });
  }

  /** Whether the items of a question stay. */
  isSearchPinned({ key, localFilter }: QuestionOutline): boolean {
    return this.#keysByFilter(localFilter).has(key);
  }

  isAreaPinned(areaId: number): boolean {
    return this.#areaIds.has(areaId);
  }

  isCollectionPinned(collectionId: string): boolean {
    return this.#collectionIds.has(collectionId);
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

// A key is the question's JSON; one that another version wrote may not read any more.
function readQuery(queryKey: string): SearchQuery[] {
  const query = searchQuerySchema.safeParse(JSON.parse(queryKey));
  return query.success ? [query.data] : [];
}
