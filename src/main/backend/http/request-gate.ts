import { AppError } from '#shared/errors/app-error.ts';
import { elapsedMsOf, type Clock } from '../ports.ts';
import { maxPatienceMs } from './retry.ts';
import { waitForTimer, type Wait } from './wait.ts';

/** What goes through a gate now. */
export interface GateMeter {
  /** Requests on their way. */
  active: number;
  /** Requests that wait for their turn. */
  waiting: number;
  /** Until when the server asked for a pause, in milliseconds since 1970; null when it didn't, or that is over. */
  heldUntilMs: number | null;
}

/**
 * Lets at most so many requests of one account through at once, and none while the server asks for a pause (field notes
 * §1.10: 30 for each account). Everything that talks with one account shares one gate.
 */
export interface RequestGate {
  /**
   * Does the work when it is its turn. Cancelling takes it out of the queue; work that has begun watches its signal.
   * @throws AppError `cancelled`; `http.too-many-requests` with `details.retryAfterSeconds` while the server asks for a
   *   longer pause than anyone waits for; and whatever the work throws
   */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Lets nobody through for so long; a longer pause stays. What is on its way isn't touched. */
  hold(delayMs: number): void;
  readonly meter: GateMeter;
  /** Called whenever the meter changes, but not when a pause ends that nobody waited for; returns the way to stop. */
  onActivity(listener: () => void): () => void;
  /** How many may be on their way at once, from now on. */
  setMaxRequests(count: number): void;
}

interface GateOptions {
  /** 30 unless told: what the service allows an account. */
  maxRequests?: number;
  clock: Clock;
  wait?: Wait;
}

// A server that asks for a day is asked again after this long.
const maxHoldMs = 10 * 60_000;

/** An open gate. */
export function createRequestGate(options: GateOptions): RequestGate {
  return new QueueGate(options);
}

interface Waiter {
  admit(): void;
  refuse(error: AppError): void;
}

class QueueGate implements RequestGate {
  readonly #clock: Clock;
  readonly #wait: Wait;
  readonly #listeners = new Set<() => void>();
  #maxRequests: number;
  #waiters: Waiter[] = [];
  #active = 0;
  /** By what has elapsed. */
  #heldUntilMs = -Infinity;
  /** The timer for the end of a pause; there is one only while somebody waits. */
  #timer: AbortController | null = null;

  constructor({ maxRequests = 30, clock, wait = waitForTimer }: GateOptions) {
    this.#maxRequests = maxRequests;
    this.#clock = clock;
    this.#wait = wait;
  }

  get meter(): GateMeter {
    const heldForMs = this.#heldForMs();
    const heldUntilMs = heldForMs > 0 ? this.#clock.now() + heldForMs : null;
    return { active: this.#active, waiting: this.#waiters.length, heldUntilMs };
  }

  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  setMaxRequests(count: number): void {
    this.#maxRequests = count;
    this.#admit();
  }

  hold(delayMs: number): void {
    const holdMs = Math.min(delayMs, maxHoldMs);
    if (holdMs <= Math.max(0, this.#heldForMs())) return;
    this.#heldUntilMs = elapsedMsOf(this.#clock) + holdMs;
    this.#stopTimer();
    if (this.#heldForMs() > maxPatienceMs) {
      const error = this.#tooLong();
      for (const waiter of this.#waiters.splice(0)) waiter.refuse(error);
    }
    this.#admit();
  }

  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#active -= 1;
      this.#admit();
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw cancelled();
    if (this.#heldForMs() > maxPatienceMs) throw this.#tooLong();
    const turn = Promise.withResolvers<undefined>();
    const waiter: Waiter = { admit: () => turn.resolve(undefined), refuse: (error) => turn.reject(error) };
    const onAbort = () => this.#leave(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiters.push(waiter);
    this.#admit();
    await turn.promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  #leave(waiter: Waiter): void {
    // Already admitted: the work itself watches the signal.
    if (!this.#waiters.includes(waiter)) return;
    this.#waiters = this.#waiters.filter((one) => one !== waiter);
    waiter.refuse(cancelled());
    if (this.#waiters.length === 0) this.#stopTimer();
    this.#tell();
  }

  #admit(): void {
    if (this.#heldForMs() > 0) {
      this.#startTimer();
    } else {
      while (this.#active < this.#maxRequests) {
        const next = this.#waiters.shift();
        if (next === undefined) break;
        this.#active += 1;
        next.admit();
      }
    }
    this.#tell();
  }

  #heldForMs(): number {
    return this.#heldUntilMs - elapsedMsOf(this.#clock);
  }

  #startTimer(): void {
    if (this.#timer !== null || this.#waiters.length === 0) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.#wait(this.#heldForMs(), timer.signal).then(
      () => {
        if (timer.signal.aborted) return;
        this.#timer = null;
        this.#heldUntilMs = -Infinity;
        this.#admit();
      },
      // Only `#stopTimer` ends it early.
      () => undefined,
    );
  }

  #stopTimer(): void {
    this.#timer?.abort();
    this.#timer = null;
  }

  #tooLong(): AppError {
    const retryAfterMs = Math.ceil(this.#heldForMs());
    const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
    return new AppError('http.too-many-requests', 'The server asked for a pause that is not over yet', {
      details: { retryAfterSeconds, retryAfterMs },
      retryable: true,
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The request was cancelled');
}
