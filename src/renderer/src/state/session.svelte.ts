import { contract } from '#shared/rpc/contract.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import type { PipeSource } from '../host/pipe-source.ts';
import { watchPulse } from './watch-pulse.ts';

/** The program's calls, typed. */
export type SwathClient = Client<typeof contract>;

/** Begins to use a newly opened connection. */
export type SessionStart = (client: SwathClient) => void;

const firstDelayMs = 500;
const maxDelayMs = 8000;

/**
 * The connection between the window and the program. It opens it again when it was lost; whoever needs the program
 * says with `onOpen` what to do each time, and keeps what it has meanwhile.
 */
export class Session {
  readonly #source: PipeSource;
  readonly #starts: SessionStart[] = [];
  #client: SwathClient | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #status = $state<'opening' | 'open' | 'lost' | 'outdated'>('opening');
  #silentSinceMs = $state<number | null>(null);
  #attempts = 0;

  constructor(source: PipeSource) {
    this.#source = source;
  }

  /** `outdated`: the program is another version than the window, which has to be loaded again. */
  get status(): 'opening' | 'open' | 'lost' | 'outdated' {
    return this.#status;
  }

  /** When an open connection gave its last answer, in milliseconds since 1970, if the program is silent since; else null. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** The calls of the latest connection. They fail with `network.offline` while it is lost. */
  get client(): SwathClient {
    if (!this.#client) throw new Error('The session was not opened yet');
    return this.#client;
  }

  /** Runs `start` at once if the connection is open, and at every opening. */
  onOpen(start: SessionStart): void {
    this.#starts.push(start);
    if (this.#client && this.#status === 'open') start(this.#client);
  }

  /** Opens the connection now, without waiting for the next attempt. */
  async open(): Promise<void> {
    clearTimeout(this.#retryTimer);
    try {
      const pipe = await this.#source.open();
      this.#attempts = 0;
      const client = createClient(contract, pipe, {
        isValidating: import.meta.env.DEV,
        onVersionMismatch: () => (this.#status = 'outdated'),
      });
      const endPulse = watchPulse({
        ask: () => client.app.info({}),
        onSilence: (sinceMs) => (this.#silentSinceMs = sinceMs),
      });
      pipe.onClose(() => {
        endPulse();
        this.#lose();
      });
      this.#client = client;
      this.#status = 'open';
      for (const start of this.#starts) start(client);
    } catch {
      // Every cause has the one answer: try again, and say so on the screen.
      this.#lose();
    }
  }

  #lose(): void {
    this.#silentSinceMs = null;
    if (this.#status === 'outdated') return;
    this.#status = 'lost';
    clearTimeout(this.#retryTimer);
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#attempts);
    this.#attempts += 1;
    this.#retryTimer = setTimeout(() => void this.open(), delayMs);
  }
}
