import type { ErrorData } from '#shared/errors/app-error.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import type { SharingSettings } from '#shared/settings/sharing-settings.ts';
import type { Catalogs } from '../connection/catalogs.ts';
import type { DownloadFolderStore } from '../notebook/download-folder-store.ts';
import type { Clock, Logger, SecretStore } from '../ports.ts';
import type { ServiceLibrary } from '../service/service-context.ts';
import type { RunningSharedService } from '../service/start-shared-service.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import { shareLibrary, type SharedCatalog } from './share-library.ts';
import { createSharingToken, type SharingToken } from './sharing-token.ts';

/** How sharing is doing. */
export interface SharingStatus {
  state: 'off' | 'starting' | 'on';
  /** Null while it isn't on. */
  baseUrl: string | null;
  /** Answered since it was switched on. */
  requestCount: number;
  /** Why it could not be switched on at the start of the program; null when it could. */
  problem: ErrorData | null;
}

/** The switch for sharing the library with other programs. */
export interface Sharing {
  readonly status: SharingStatus;
  readonly token: SharingToken;
  onChange(listener: () => void): () => void;
  /** Switches it on with other settings than before, and remembers them. @throws AppError `input.invalid` */
  start(wish: Omit<SharingSettings, 'isOn'>): Promise<void>;
  stop(): Promise<void>;
  /** Makes another token, which programs need from now on. */
  renewToken(): Promise<void>;
  /** Ends it without switching it off: it is on again at the next start. */
  close(): Promise<void>;
}

interface SharingParts {
  catalogs: Catalogs;
  settings: SettingsHolder;
  store: SecretStore;
  downloadFolders: DownloadFolderStore;
  clock: Clock;
  logger: Logger;
}

/** Makes the switch, and switches on what was on when the program ended. */
export function createSharing(parts: SharingParts): Sharing {
  const sharing = new LibrarySharing(parts);
  sharing.goOn();
  return sharing;
}

const off = { state: 'off', baseUrl: null, requestCount: 0, problem: null } as const;

class LibrarySharing implements Sharing {
  readonly token: SharingToken;
  readonly #parts: SharingParts;
  readonly #listeners = new Set<() => void>();
  #status: SharingStatus = off;
  #running: RunningSharedService | null = null;
  /** Switching on and off, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: SharingParts) {
    this.#parts = parts;
    this.token = createSharingToken(parts.store);
  }

  get status(): SharingStatus {
    return this.#status;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  start(wish: Omit<SharingSettings, 'isOn'>): Promise<void> {
    return this.#inTurn(() => this.#start(wish));
  }

  async #start(wish: Omit<SharingSettings, 'isOn'>): Promise<void> {
    await this.#end();
    this.#tell({ ...off, state: 'starting' });
    try {
      const isOpen = wish.reach === 'computer' && !wish.needsToken;
      const running = await shareLibrary({
        catalog: this.#catalogOf(wish.connectionId),
        host: wish.reach === 'network' ? '0.0.0.0' : '127.0.0.1',
        port: wish.port,
        token: isOpen ? null : (await this.token.read()).value,
        clock: this.#parts.clock,
        onAnswer: () => this.#tell({ ...this.#status, requestCount: this.#status.requestCount + 1 }),
      });
      this.#running = running;
      // The port that was found is kept: programs have it in their settings.
      this.#remember({ ...wish, port: running.port, isOn: true });
      this.#tell({ ...off, state: 'on', baseUrl: running.baseUrl });
      this.#parts.logger.info('sharing.on', { baseUrl: running.baseUrl, needsToken: !isOpen });
    } catch (thrown) {
      this.#tell(off);
      throw thrown;
    }
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end();
      this.#remember({ ...this.#parts.settings.current.sharing, isOn: false });
      this.#tell(off);
    });
  }

  renewToken(): Promise<void> {
    return this.#inTurn(async () => {
      await this.token.renew();
      if (this.#running) await this.#start(this.#parts.settings.current.sharing);
      else this.#tell(this.#status);
    });
  }

  close(): Promise<void> {
    this.#listeners.clear();
    return this.#inTurn(() => this.#end());
  }

  /** Others on the network are let in by a person only, not by a start of the program. */
  goOn(): void {
    const { sharing } = this.#parts.settings.current;
    if (!sharing.isOn || sharing.reach !== 'computer') return;
    this.start(sharing).catch((thrown: unknown) => {
      const problem = toAppError(thrown).toData();
      this.#parts.logger.warn('sharing.not-started', { message: problem.message });
      this.#tell({ ...off, problem });
    });
  }

  /** Asked for anew with each request where it is the one in use. */
  #catalogOf(connectionId: string | null): SharedCatalog {
    const { catalogs, downloadFolders } = this.#parts;
    const open = () => (connectionId === null ? catalogs.current : catalogs.open(connectionId));
    const { id } = open();
    const library: ServiceLibrary = {
      get engine() {
        return open().library.engine;
      },
      item: (ref) => open().library.item(ref),
      collections: () => open().library.collections(),
      unlistedCollectionIds: () => open().library.unlistedCollectionIds(),
      queryables: (ids) => open().library.queryables(ids),
    };
    const name = catalogs.list().find((one) => one.id === id)?.name ?? id;
    return {
      name: connectionId === null ? 'The catalog in use' : name,
      library,
      destinations: () => downloadFolders.list(open().id),
    };
  }

  #remember(sharing: SharingSettings): void {
    this.#parts.settings.change({ sharing });
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.close();
  }

  #tell(status: SharingStatus): void {
    this.#status = status;
    for (const listener of [...this.#listeners]) listener();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
