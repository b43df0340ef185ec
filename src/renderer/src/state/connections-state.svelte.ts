import type { CheckStepData } from '#shared/connection/check-step.ts';
import type { ConnectionEntry, ConnectionList } from '#shared/connection/connection-list.ts';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** A test of a connection that is under way, or over. */
export class ConnectionCheck {
  #steps = $state.raw<readonly CheckStepData[]>([]);
  #isDone = $state(false);
  #error = $state.raw<AppError | null>(null);
  /** Ends it before its end. */
  readonly stop: () => void;

  constructor(client: SwathClient, draft: ConnectionDraft) {
    this.stop = client.connection.check(draft, {
      onEvent: ({ steps, isDone }) => {
        this.#steps = steps;
        this.#isDone = isDone;
      },
      onError: (thrown) => {
        this.#error = toAppError(thrown);
        this.#isDone = true;
      },
    });
  }

  /** Those that are over, in their order. */
  get steps(): readonly CheckStepData[] {
    return this.#steps;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Why it could not be made. */
  get error(): AppError | null {
    return this.#error;
  }
}

const unknown: ConnectionList = { connections: [], keeping: 'session', hasEnvironment: false };

/** The catalogs that Swath knows, as the program reports them. */
export class ConnectionsState {
  readonly #session: Session;
  #list = $state.raw<ConnectionList>(unknown);
  /** The catalog that the settings are asked to open, so that its login can be renewed. */
  askedId = $state<string | null>(null);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.connection.list({}, { onEvent: (list) => (this.#list = list) });
    });
  }

  /** The demo catalog first, then in the order in which they were added. */
  get all(): readonly ConnectionEntry[] {
    return this.#list.connections;
  }

  /** Where a secret that is typed now will be kept. */
  get keeping(): ConnectionList['keeping'] {
    return this.#list.keeping;
  }

  /** Whether the program's environment names a service that can be taken over. */
  get hasEnvironment(): boolean {
    return this.#list.hasEnvironment;
  }

  /** Takes a catalog into use. */
  async select(connectionId: string): Promise<void> {
    await this.#session.client.connection.select({ connectionId });
  }

  /** Adds a catalog, or changes one; resolves to its id. */
  async save(draft: ConnectionDraft): Promise<string> {
    return (await this.#session.client.connection.save(draft)).connectionId;
  }

  /** Takes a service over from the program's environment, or from the text of a `.env` file; resolves to its id. */
  async importEnvironment(text: string | null): Promise<string> {
    return (await this.#session.client.connection.importEnvironment({ text })).connectionId;
  }

  /** Tries a catalog step by step, as it is written down. */
  check(draft: ConnectionDraft): ConnectionCheck {
    return new ConnectionCheck(this.#session.client, draft);
  }

  async remove(connectionId: string): Promise<void> {
    await this.#session.client.connection.remove({ connectionId });
  }
}
