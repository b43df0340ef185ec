import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type ConnectionEvent = Parameters<Parameters<SwathClient['connection']['watch']>[1]['onEvent']>[0];

/** The catalog in use, as the program reports it. */
export class ConnectionState {
  readonly #session: Session;
  readonly #onlineListeners: (() => void)[] = [];
  #event = $state.raw<ConnectionEvent | null>(null);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.connection.watch({}, { onEvent: (event) => this.#take(event) });
    });
  }

  /** Names the catalog in paths of pictures; empty until the program has said something. */
  get id(): string {
    return this.#event?.connectionId ?? '';
  }

  /** Which download links are used unless another kind is chosen. */
  get links(): LinkMode {
    return this.#event?.links ?? 'auto';
  }

  get name(): string {
    return this.#event?.name ?? 'Catalog';
  }

  get kind(): ConnectionEvent['kind'] | null {
    return this.#event?.kind ?? null;
  }

  get baseUrl(): string | null {
    return this.#event?.baseUrl ?? null;
  }

  /** `starting` until the program has said something. */
  get status(): ConnectionEvent['state'] {
    return this.#event?.state ?? 'starting';
  }

  get activeRequests(): number {
    return this.#event?.activeRequests ?? 0;
  }

  get maxRequests(): number | null {
    return this.#event?.maxRequests ?? null;
  }

  /** Calls back each time the catalog comes online. */
  onOnline(listener: () => void): void {
    this.#onlineListeners.push(listener);
    if (this.status === 'online') listener();
  }

  /** Asks the program to try the catalog again. */
  async retry(): Promise<void> {
    await this.#session.client.connection.retry({});
  }

  #take(event: ConnectionEvent): void {
    const wasOnline = this.#event?.state === 'online';
    this.#event = event;
    if (event.state === 'online' && !wasOnline) for (const listener of this.#onlineListeners) listener();
  }
}
