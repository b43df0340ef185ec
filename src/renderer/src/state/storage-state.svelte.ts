import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { LibraryLimits } from '#shared/settings/settings.ts';
import type {
  Backup,
  EvictionPreview,
  LibraryFile,
  LibraryUsage,
  StorageStatus,
  StorageTask,
} from '#shared/storage/storage.ts';
import { presentError } from '../errors/present-error.ts';
import type { NoticesState } from './notices-state.svelte.ts';
import type { Session } from './session.svelte.ts';

/** Room for the libraries: what uses how much, the limits, and what is done with the files. */
export class StorageState {
  readonly #session: Session;
  readonly #notices: NoticesState;
  #status = $state.raw<StorageStatus | null>(null);
  #usage = $state.raw<LibraryUsage | null>(null);
  #usageError = $state.raw<AppError | null>(null);
  #reading: AbortController | null = null;

  /** Another one when something was done to the libraries: figures of them are worth reading anew. */
  readonly occasion: string = $derived(
    [
      this.#status?.outcome?.atMs,
      ...(this.#status?.libraries ?? []).map(
        ({ recovery }) => recovery && `${String(recovery.atMs)} ${recovery.fraction < 1 ? 'begun' : 'over'}`,
      ),
    ].join(' '),
  );

  constructor(session: Session, notices: NoticesState) {
    this.#session = session;
    this.#notices = notices;
    session.onOpen((client) => {
      client.storage.watch({}, { onEvent: (status) => this.#take(status) });
    });
  }

  // Whatever a person does at the moment, they have to know that what they see isn't kept, or what became of it.
  #take(status: StorageStatus): void {
    const before = this.#status;
    this.#status = status;
    if (status.notebookRecovery && !before?.notebookRecovery) {
      this.#tell(
        'The file of saved searches, areas and pins was damaged',
        'It was put aside, and what could be read is in a new one.',
      );
    }
    const { folderProblem } = status;
    if (folderProblem && !before?.folderProblem) {
      this.#tell(presentError(folderProblem).title, presentError(folderProblem).hint);
    }
    for (const library of status.libraries) {
      const known = before?.libraries.find(({ connectionId }) => connectionId === library.connectionId);
      if (!folderProblem) this.#tellUnkept(library, known);
      this.#tellNew(library, known);
    }
  }

  #tellUnkept({ connectionId, name, isKept }: LibraryFile, known?: LibraryFile): void {
    if (isKept || known?.isKept === false) return;
    this.#tell(
      `Nothing new is kept of ${name ?? connectionId}`,
      'Its folder can’t be written to, or its disk is full.',
    );
  }

  #tellNew({ connectionId, recovery, writeProblem, ...library }: LibraryFile, known?: LibraryFile): void {
    const name = library.name ?? connectionId;
    if (writeProblem && known?.writeProblem?.code !== writeProblem.code) {
      this.#tell(presentError(writeProblem).title, presentError(writeProblem).hint);
    }
    if (recovery && !known?.recovery) {
      this.#tell(
        `The library of ${name} was damaged`,
        'It was put aside, and what can be read comes into a new one.',
      );
    }
  }

  #tell(text: string, hint: string): void {
    this.#notices.show({ tone: 'bad', text, hint, action: { label: 'Show the library', view: 'library' } });
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
