import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import type { FileListing } from './folders.ts';
import type { NoticesState } from './notices-state.svelte.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type BasemapsEvent = Parameters<Parameters<SwathClient['basemaps']['watch']>[1]['onEvent']>[0];

/** A basemap in the list. */
export type Basemap = BasemapsEvent['basemaps'][number];

/** Online tiles as they were typed. */
export type OnlineBasemap = Parameters<SwathClient['basemaps']['addOnline']>[0];

/** The maps under the footprints: the bundled one and those that a person added. */
export class BasemapsState {
  readonly #session: Session;
  readonly #notices: NoticesState;
  #event = $state.raw<BasemapsEvent>({ basemaps: [], used: null });
  #error = $state.raw<AppError | null>(null);
  /** What to draw over the bundled map; the same object as long as it is the same. */
  #shown = $state.raw<{ id: string; facts: TileFacts } | null>(null);

  constructor(session: Session, notices: NoticesState) {
    this.#session = session;
    this.#notices = notices;
    session.onOpen((client) => {
      client.basemaps.watch({}, { onEvent: (event) => this.#take(event) });
    });
  }

  /** Those that a person added. */
  get list(): readonly Basemap[] {
    return this.#event.basemaps;
  }

  /** The one in use; null is the bundled one. */
  get usedId(): string | null {
    return this.#event.used?.id ?? null;
  }

  /** Why the one in use can't be shown; null when it can. */
  get problem(): { why: string; mend: string } | null {
    return this.#event.used?.problem ?? null;
  }

  /** Tiles to draw; null for the bundled map alone. */
  get shown(): { id: string; facts: TileFacts } | null {
    return this.#shown;
  }

  /** What went wrong with the last change; null when nothing did. */
  get error(): AppError | null {
    return this.#error;
  }

  /** Uses one; null is the bundled one. */
  use(basemapId: string | null): Promise<void> {
    return this.#try(() => this.#session.client.basemaps.use({ basemapId }));
  }

  /** Takes one off the list, which can be undone; one that a field pack brought goes for good. */
  async remove({ id, name, kind, isBrought }: Basemap): Promise<void> {
    const wasUsed = this.usedId === id;
    await this.#try(async () => {
      await this.#session.client.basemaps.remove({ basemapId: id });
      if (isBrought) {
        const hint = 'Its field pack brings it again.';
        this.#notices.show({ tone: 'info', text: `“${name}” was deleted`, hint });
        return;
      }
      this.#notices.show({
        tone: 'info',
        text: `“${name}” was taken off the list`,
        hint: kind === 'file' ? 'Its file stays.' : '',
        action: { label: 'Undo', run: () => void this.#restore(id, wasUsed) },
      });
    });
  }

  /** Gives one another name. */
  rename(basemapId: string, name: string): Promise<void> {
    return this.#try(() => this.#session.client.basemaps.rename({ basemapId, name }));
  }

  /** Adds a file and uses it. @throws AppError `basemap.unreadable` */
  async addFile(path: string): Promise<void> {
    await this.#session.client.basemaps.addFile({ path });
  }

  /** Adds tiles of a server and uses them. @throws AppError `input.invalid` */
  async addOnline(given: OnlineBasemap): Promise<void> {
    await this.#session.client.basemaps.addOnline(given);
  }

  /** The system's own file dialog; null when it was dismissed. @throws AppError `host.unsupported` */
  async chooseFile(): Promise<string | null> {
    return (await this.#session.client.basemaps.chooseFile({}))?.path ?? null;
  }

  /** Folders and files of a folder; null is the home. @throws AppError `transfer.destination-missing` */
  listFiles(path: string | null): Promise<FileListing> {
    return this.#session.client.basemaps.listFiles({ path });
  }

  /** What there is to say of the one in use where there is a problem with it. */
  get problemTitle(): string {
    const name = this.list.find(({ id }) => id === this.usedId)?.name ?? '';
    return this.#shown ? `A part of “${name}” can’t be shown` : `“${name}” can’t be shown`;
  }

  #take(event: BasemapsEvent): void {
    const before = this.problem;
    this.#event = event;
    const { used } = event;
    const shown = used?.facts ? { id: used.id, facts: used.facts } : null;
    if (JSON.stringify(shown) !== JSON.stringify(this.#shown)) this.#shown = shown;
    // On the map one only sees that there is nothing.
    if (used?.facts && used.problem && !before) {
      const { why, mend } = used.problem;
      this.#notices.show({ tone: 'bad', text: this.problemTitle, hint: `${why} ${mend}` });
    }
  }

  #restore(basemapId: string, isToBeUsed: boolean): Promise<void> {
    return this.#try(async () => {
      await this.#session.client.basemaps.restore({ basemapId });
      if (isToBeUsed) await this.#session.client.basemaps.use({ basemapId });
    });
  }

  async #try(change: () => Promise<unknown>): Promise<void> {
    try {
      await change();
      this.#error = null;
    } catch (thrown) {
      this.#error = toAppError(thrown);
    }
  }
}
