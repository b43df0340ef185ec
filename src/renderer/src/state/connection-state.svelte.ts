import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type ConnectionEvent = Parameters<Parameters<SwathClient['connection']['watch']>[1]['onEvent']>[0];

/** The catalog in use, as the program reports it. */
export class ConnectionState {
  readonly #session: Session;
  readonly #onlineListeners: (() => void)[] = [];
  readonly #switchListeners: (() => void)[] = [];
  #event = $state.raw<ConnectionEvent | null>(null);
  #heldUntil = $state<string | null>(null);
  #holdTimer: ReturnType<typeof setTimeout> | undefined;

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

  /** Requests that wait for their turn. */
  get waitingRequests(): number {
    return this.#event?.waitingRequests ?? 0;
  }

  /** Until when the service asked for patience, RFC 3339; null when it didn't. */
  get heldUntil(): string | null {
    return this.#heldUntil;
  }

  get maxRequests(): number | null {
    return this.#event?.maxRequests ?? null;
  }

  /** Calls back when another catalog is in use: what belongs to the last one is to be forgotten. */
  onSwitch(listener: () => void): void {
    this.#switchListeners.push(listener);
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

  // The program doesn't tell when a pause ends for which nobody waited.
  #noteHold(heldUntil: string | null): void {
    clearTimeout(this.#holdTimer);
    this.#heldUntil = heldUntil;
    if (heldUntil === null) return;
    const leftMs = Math.max(0, Date.parse(heldUntil) - Date.now());
    this.#holdTimer = setTimeout(() => (this.#heldUntil = null), leftMs);
  }

  #take(event: ConnectionEvent): void {
    const before = this.#event;
    const isOther = before !== null && before.connectionId !== event.connectionId;
    const wasOnline = before?.state === 'online' && !isOther;
    this.#event = event;
    this.#noteHold(event.heldUntil);
    if (isOther) for (const listener of this.#switchListeners) listener();
    if (event.state === 'online' && !wasOnline) for (const listener of this.#onlineListeners) listener();
  }
}
