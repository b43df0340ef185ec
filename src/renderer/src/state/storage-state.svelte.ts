import { toQueryKey } from '#shared/search/query-key.ts';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { LibraryLimits } from '#shared/settings/settings.ts';
import type {
  Backup,
  EvictionPreview,
  LibraryUsage,
  StorageStatus,
  StorageTask,
} from '#shared/storage/storage.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** What can be pinned. */
export type Pinned = Parameters<SwathClient['storage']['pin']>[0];

interface Pins {
  queryKeys: ReadonlySet<string>;
  areaIds: ReadonlySet<number>;
  collectionIds: ReadonlySet<string>;
}

const noPins: Pins = { queryKeys: new Set(), areaIds: new Set(), collectionIds: new Set() };

/** Room for the libraries: what uses how much, the limits, and what is done with the files. */
export class StorageState {
  readonly #session: Session;
  #status = $state.raw<StorageStatus | null>(null);
  #pins = $state.raw<Pins>(noPins);
  #usage = $state.raw<LibraryUsage | null>(null);
  #usageError = $state.raw<AppError | null>(null);
  #reading: AbortController | null = null;

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.storage.watch({}, { onEvent: (status) => (this.#status = status) });
      client.storage.watchPins(
        {},
        {
          onEvent: ({ queryKeys, areaIds, collectionIds }) => {
            this.#pins = {
              queryKeys: new Set(queryKeys),
              areaIds: new Set(areaIds),
              collectionIds: new Set(collectionIds),
            };
          },
        },
      );
    });
  }

  /** Null until the program told it. */
  get status(): StorageStatus | null {
    return this.#status;
  }

  /** What uses how much of the library that was asked about last. */
  get usage(): LibraryUsage | null {
    return this.#usage;
  }

  get usageError(): AppError | null {
    return this.#usageError;
  }

  isPinned(pinned: Pinned): boolean {
    switch (pinned.kind) {
      case 'search':
        return this.#pins.queryKeys.has(toQueryKey(pinned.query));
      case 'area':
        return this.#pins.areaIds.has(pinned.areaId);
      case 'collection':
        return this.#pins.collectionIds.has(pinned.collectionId);
    }
  }

  /** Pins something of the catalog in use, or takes the pin away. */
  async setPinned(pinned: Pinned, isPinned: boolean): Promise<void> {
    const { storage } = this.#session.client;
    await (isPinned ? storage.pin(pinned) : storage.unpin(pinned));
  }

  /** Looks through a library's file; what was known of it stays until then. */
  async measure(connectionId: string): Promise<void> {
    this.#reading?.abort();
    const reading = (this.#reading = new AbortController());
    if (this.#usage?.connectionId !== connectionId) this.#usage = null;
    try {
      const usage = await this.#session.client.storage.usage({ connectionId }, { signal: reading.signal });
      if (this.#reading === reading) [this.#usage, this.#usageError] = [usage, null];
    } catch (thrown) {
      if (this.#reading === reading) this.#usageError = toAppError(thrown);
    }
  }

  /** What limits would evict now. */
  preview(limits: LibraryLimits, signal: AbortSignal): Promise<EvictionPreview> {
    return this.#session.client.storage.preview(limits, { signal });
  }

  async setLimits(limits: LibraryLimits): Promise<void> {
    await this.#session.client.storage.setLimits(limits);
  }

  /** @throws AppError `library.busy`, `transfer.destination-missing`, `transfer.destination-not-writable` */
  async start(task: StorageTask): Promise<void> {
    await this.#session.client.storage.start(task);
  }

  async stop(): Promise<void> {
    await this.#session.client.storage.stop({});
  }

  async undo(): Promise<void> {
    await this.#session.client.storage.undo({});
  }

  async dismiss(): Promise<void> {
    await this.#session.client.storage.dismiss({});
  }

  /** @throws AppError `library.not-a-backup`, `library.newer-schema` */
  inspectBackup(folder: string): Promise<Backup> {
    return this.#session.client.storage.inspectBackup({ folder });
  }
}
