import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { ResolveLink } from '../links/link.ts';
import { wasOnlyTold } from '../links/link-calls.ts';
import { systemClock, type Clock } from '../ports.ts';
import { judgeFailure, type CatalogState } from './judge-failure.ts';

/** Everything that talks to one catalog. */
export interface CatalogAccess {
  catalog: CatalogClient;
  http: HttpClient;
  resolveLink: ResolveLink;
  /** Links are asked for again at once, although the catalog has just refused to give any: it lets us in. */
  forgetRefusal(): void;
  close(): Promise<void>;
}

/** How the catalog in use is doing. */
export interface ConnectionStatus {
  name: string;
  kind: 'demo' | 'remote';
  baseUrl: string | null;
  state: CatalogState;
  /** Sentence for the log; null when all is well. */
  problem: string | null;
  /** Requests on their way, and those that wait for their turn. */
  activeRequests: number;
  waitingRequests: number;
  /** Until when the service asked for patience, in milliseconds since 1970; null when it didn't. */
  heldUntilMs: number | null;
  /** When it last answered anything, in milliseconds since 1970; null when it hasn't since the start. */
  answeredAtMs: number | null;
  /** When it is asked by itself whether it is back; null when it isn't, or just now. */
  nextProbeAtMs: number | null;
}

/** The catalog in use: started in the background, asked through `ask`, which notices whether it answers. */
export interface Connection {
  readonly status: ConnectionStatus;
  /** Called whenever the status changes; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Waits for the start. Throws what the start threw. */
  access(): Promise<CatalogAccess>;
  /** Asks the catalog. Its errors pass through. */
  ask<Answer>(question: (catalog: CatalogClient) => Promise<Answer>): Promise<Answer>;
  /**
   * Tells of an error that somebody met who asked the catalog past `ask`: whether it is away shows at once. Of one that
   * asks for a login, resolves when the catalog itself has said whether it still lets us in, to whether it does.
   */
  note(error: unknown): Promise<boolean>;
  /** Starts again after a failed start; else asks the catalog whether it is there. Never throws. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

interface ConnectionOptions {
  name: string;
  kind: 'demo' | 'remote';
  /** The signal aborts when the connection is closed before it is there. */
  start: (signal: AbortSignal) => Promise<CatalogAccess>;
  /** A question that any catalog answers, asked at the start and to see whether it is back. */
  probe: (catalog: CatalogClient) => Promise<unknown>;
  /** How long after a failure the catalog is asked again; each time twice as long, up to two minutes. */
  retryDelayMs?: number;
  clock?: Clock;
}

const firstRetryDelayMs = 5000;
const maxRetryDelayMs = 120_000;

/** Starts connecting at once. */
export function createConnection(options: ConnectionOptions): Connection {
  return new RunningConnection(options);
}

class RunningConnection implements Connection {
  readonly #options: ConnectionOptions;
  readonly #listeners = new Set<() => void>();
  #starting: Promise<CatalogAccess>;
  #access: CatalogAccess | null = null;
  #state: CatalogState = 'starting';
  #problem: string | null = null;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Failures in a row, which make the next look come later. */
  #failureCount = 0;
  #noticedFailures = 0;
  #answeredAtMs: number | null = null;
  #nextProbeAtMs: number | null = null;
  /** A question under way whether the catalog still lets us in. */
  #look: Promise<void> | null = null;
  /** The gate outlives this connection. */
  #leaveGate: () => void = () => undefined;
  readonly #closing = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#starting = this.#start();
  }

  get status(): ConnectionStatus {
    const { name, kind } = this.#options;
    const meter = this.#access?.http.gate.meter;
    return {
      name,
      kind,
      baseUrl: this.#access?.catalog.baseUrl ?? null,
      state: this.#state,
      problem: this.#problem,
      activeRequests: meter?.active ?? 0,
      waitingRequests: meter?.waiting ?? 0,
      heldUntilMs: meter?.heldUntilMs ?? null,
      answeredAtMs: this.#answeredAtMs,
      nextProbeAtMs: this.#nextProbeAtMs,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  access(): Promise<CatalogAccess> {
    return this.#starting;
  }

  async ask<Answer>(question: (catalog: CatalogClient) => Promise<Answer>): Promise<Answer> {
    const { catalog } = await this.#starting;
    const failuresBefore = this.#noticedFailures;
    try {
      const answer = await question(catalog);
      // What another question has met since is newer than this answer.
      if (failuresBefore === this.#noticedFailures) this.#become('online', null);
      return answer;
    } catch (thrown) {
      const error = toAppError(thrown);
      this.#take(judgeFailure(error), error);
      throw error;
    }
  }

  async note(thrown: unknown): Promise<boolean> {
    const error = toAppError(thrown);
    const state = judgeFailure(error);
    // Who meets again what is known holds no look up.
    if (isAway(state) && !isAway(this.#state)) this.#take(state, error);
    if (!isOfLogin(error)) return false;
    if (this.#state === 'online' && !wasOnlyTold(error)) this.#look ??= this.#lookAgain();
    await this.#look;
    return this.#state === 'online';
  }

  async retry(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#stopTimer();
    if (!this.#access && this.#state === 'failed') this.#starting = this.#start();
    try {
      await this.ask(this.#options.probe);
    } catch {
      // `ask` and `#start` have noted it in the status.
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopTimer();
    this.#listeners.clear();
    // A start that fails has nothing to close.
    const access = await this.#starting.catch(() => null);
    this.#leaveGate();
    await access?.close();
  }

  #start(): Promise<CatalogAccess> {
    this.#become('starting', null);
    const starting = this.#options.start(this.#closing.signal).then(
      (access) => {
        this.#access = access;
        this.#leaveGate = access.http.onActivity(() => this.#tell());
        this.#tell();
        return access;
      },
      (thrown: unknown) => {
        const error = toAppError(thrown);
        this.#become('failed', error.message);
        // Calls declare network.offline; why the start failed is in the status and in the log.
        throw new AppError('network.offline', `The catalog did not start: ${error.message}`, {
          details: { host: this.#options.name },
          retryable: true,
          cause: thrown,
        });
      },
    );
    // In a later turn, when `#starting` is set. Its failure is in the status.
    starting.then(() => this.retry()).catch(() => undefined);
    return starting;
  }

  // That one file is refused says nothing of the catalog: it has to say itself whether it still lets us in.
  async #lookAgain(): Promise<void> {
    await this.retry();
    this.#look = null;
    if (this.#state === 'online') this.#access?.forgetRefusal();
  }

  #take(state: CatalogState | null, error: AppError): void {
    if (state === null) return;
    if (isAway(state)) this.#noticedFailures += 1;
    this.#become(state, state === 'online' ? null : error.message);
  }

  #become(state: CatalogState, problem: string | null): void {
    this.#stopTimer();
    if (isAway(state)) this.#retryLater();
    else this.#failureCount = 0;
    if (state === 'online') {
      this.#answeredAtMs = this.#clock.now();
      if (this.#state === 'unauthorized') this.#access?.forgetRefusal();
    }
    if (state === this.#state && problem === this.#problem && !isAway(state)) return;
    this.#state = state;
    this.#problem = problem;
    this.#tell();
  }

  #retryLater(): void {
    if (this.#closing.signal.aborted) return;
    const { retryDelayMs = firstRetryDelayMs } = this.#options;
    const delayMs = Math.min(retryDelayMs * 2 ** this.#failureCount, maxRetryDelayMs);
    this.#failureCount += 1;
    this.#nextProbeAtMs = this.#clock.now() + delayMs;
    this.#retryTimer = setTimeout(() => void this.retry(), delayMs);
    this.#retryTimer.unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#retryTimer);
    this.#nextProbeAtMs = null;
  }

  get #clock(): Clock {
    return this.#options.clock ?? systemClock;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function isAway(state: CatalogState | null): boolean {
  return state === 'offline' || state === 'faulty';
}

// One file's own refusal (`auth.forbidden`) is over with no login.
function isOfLogin(error: AppError): boolean {
  return error.code.startsWith('auth.') && needsLogin(error);
}
