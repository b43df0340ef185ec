import type { Session, SwathClient } from './session.svelte.ts';

type ReachabilityEvent = Parameters<Parameters<SwathClient['reachability']['watch']>[1]['onEvent']>[0];

/** Whether the catalog in use can be asked, or its library answers. */
export class ReachabilityState {
  readonly #offlineListeners: (() => void)[] = [];
  readonly #switchedOnListeners: (() => void)[] = [];
  #event = $state.raw<ReachabilityEvent | null>(null);

  constructor(session: Session) {
    session.onOpen((client) => {
      client.reachability.watch({}, { onEvent: (event) => this.#take(event) });
    });
  }

  /** Whether searches are answered from the library. */
  get isOffline(): boolean {
    return this.#event?.isOffline ?? false;
  }

  /** Where pictures come from; one that failed is worth another try when it changes. */
  get pictureOccasion(): string {
    return this.isOffline ? 'offline' : 'online';
  }

  /** Why; null while online. */
  get cause(): ReachabilityEvent['cause'] {
    return this.#event?.cause ?? null;
  }

  /** When the catalog is asked by itself whether it is back, RFC 3339. */
  get nextProbeAt(): string | null {
    return this.#event?.nextProbeAt ?? null;
  }

  /** When the catalog last gave the library something, RFC 3339. */
  get libraryAsOf(): string | null {
    return this.#event?.libraryAsOf ?? null;
  }

  /** Calls back each time the library begins to answer for the catalog. */
  onOffline(listener: () => void): void {
    this.#offlineListeners.push(listener);
  }

  /** Calls back each time nobody works offline any more, and the catalog isn't known to be away. */
  onSwitchedOn(listener: () => void): void {
    this.#switchedOnListeners.push(listener);
  }

  #take(event: ReachabilityEvent): void {
    const before = this.#event?.connectionId === event.connectionId ? this.#event : null;
    const wasOffline = before?.isOffline ?? false;
    this.#event = event;
    if (event.isOffline && !wasOffline) for (const listener of this.#offlineListeners) listener();
    if (before?.cause === 'switch' && !event.isOffline)
      for (const listener of this.#switchedOnListeners) listener();
  }
}
