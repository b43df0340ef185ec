import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { Session } from './session.svelte.ts';

/** What was found in the library for a text. */
export interface Found {
  text: string;
  rows: readonly ItemRow[];
  hasMore: boolean;
}

const maxRows = 50;

/**
 * Finds items of the library by words, as they are typed. One question is asked at a time, and what was typed meanwhile
 * with the next: typing fast asks no more than the library can answer, and an older answer never follows a newer one.
 */
export class FindState {
  readonly #session: Session;
  #text = $state('');
  #found = $state.raw<Found | null>(null);
  #error = $state.raw<AppError | null>(null);
  #isAsking = $state(false);
  #isOpen = $state(false);

  constructor(session: Session) {
    this.#session = session;
  }

  get text(): string {
    return this.#text;
  }

  /** The newest answer; null where nothing was asked. */
  get found(): Found | null {
    return this.#found;
  }

  get error(): AppError | null {
    return this.#error;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Whether the box is open over the view. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Asks for what is typed. */
  type(text: string): void {
    this.#text = text;
    void this.#ask();
  }

  /** Another catalog is in use. */
  forget(): void {
    this.#text = '';
    this.#found = null;
    this.#error = null;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let asked: string | null = null; asked !== this.#text.trim();) {
      asked = this.#text.trim();
      if (asked === '') this.#found = null;
      else await this.#askOnce(asked);
    }
    this.#isAsking = false;
  }

  async #askOnce(text: string): Promise<void> {
    try {
      const { rows, hasMore } = await this.#session.client.library.find({ text, limit: maxRows });
      // What was typed since may be another catalog's, or nothing.
      if (this.#text.trim() !== '') this.#found = { text, rows, hasMore };
      this.#error = null;
    } catch (thrown) {
      this.#error = toAppError(thrown);
    }
  }
}
