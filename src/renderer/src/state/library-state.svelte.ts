import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** What is in the library. */
export type LibraryOverview = Awaited<ReturnType<SwathClient['library']['overview']>>;

/** What is kept of one collection. */
export type CollectionOverview = LibraryOverview['collections'][number];

/** What of the library lies in an area. */
export type AreaContent = Awaited<ReturnType<SwathClient['library']['area']>>;

/** The parts of the Library view. */
export type LibrarySection = 'searches' | 'areas' | 'collections' | 'offline' | 'share' | 'storage';

/** What is kept of the catalog in use. */
export class LibraryState {
  readonly #session: Session;
  #overview = $state.raw<LibraryOverview | null>(null);
  #error = $state.raw<AppError | null>(null);
  #isLoading = $state(false);
  #areas = $state.raw<Readonly<Record<number, AreaContent | null>>>({});
  #loadNumber = 0;
  #areasNumber = 0;
  #section = $state<LibrarySection>('searches');

  constructor(session: Session) {
    this.#session = session;
  }

  /** The part of the view that shows. */
  get section(): LibrarySection {
    return this.#section;
  }

  choose(section: LibrarySection): void {
    this.#section = section;
  }

  /** Forgets a past search with all its runs; its items stay. */
  async forgetSearch(searchNumber: number): Promise<void> {
    await this.#session.client.library.forgetSearch({ searchNumber });
  }

  /** Undoes `forgetSearch`. @throws AppError `saved.not-found` */
  async takeSearchBack(searchNumber: number): Promise<void> {
    await this.#session.client.library.takeSearchBack({ searchNumber });
  }

  /** Null before it was looked through. */
  get overview(): LibraryOverview | null {
    return this.#overview;
  }

  /** Why the library could not be looked through. */
  get error(): AppError | null {
    return this.#error;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** By the id of the area; those that were counted already. Null: it could not be. */
  get areas(): Readonly<Record<number, AreaContent | null>> {
    return this.#areas;
  }

  /** Looks through the library anew; what was known stays until then. */
  async load(): Promise<void> {
    const loadNumber = ++this.#loadNumber;
    this.#isLoading = true;
    try {
      const overview = await this.#session.client.library.overview({});
      if (loadNumber !== this.#loadNumber) return;
      this.#overview = overview;
      this.#error = null;
    } catch (thrown) {
      if (loadNumber === this.#loadNumber) this.#error = toAppError(thrown);
    }
    if (loadNumber === this.#loadNumber) this.#isLoading = false;
  }

  /** Counts what lies in each of these areas, one after the other, unless others are asked for meanwhile. */
  async loadAreas(areaIds: readonly number[]): Promise<void> {
    const areasNumber = ++this.#areasNumber;
    for (const areaId of areaIds) {
      const content = await this.#session.client.library.area({ areaId }).catch(() => null);
      if (areasNumber !== this.#areasNumber) return;
      this.#areas = { ...this.#areas, [areaId]: content };
    }
  }

  /** Another catalog is in use. */
  forget(): void {
    this.#loadNumber += 1;
    this.#areasNumber += 1;
    this.#overview = null;
    this.#error = null;
    this.#isLoading = false;
    this.#areas = {};
  }
}
