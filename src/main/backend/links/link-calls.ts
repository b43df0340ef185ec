import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { createRequestGate, type RequestGate } from '../http/request-gate.ts';
import { longestWishMs } from '../http/retry.ts';
import { elapsedMsOf, type Clock } from '../ports.ts';

/** The calls of the catalog's server that links come from: few at once, and none for a while after it said no. */
export interface LinkCalls {
  /**
   * Makes a call when it is its turn. While the server is known to be busy, broken, or to want another login, it isn't
   * asked at all and the earlier error is thrown again, with `details.retryAfterMs`.
   * @throws AppError of the call; `cancelled`
   */
  run<Result>(call: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** The server is asked again at once: it lets in whom it refused. */
  forgetRefusal(): void;
}

/** Whether whoever met an error was told of it without a request: an earlier one had met it. */
export function wasOnlyTold({ details }: AppError): boolean {
  return details['retryAfterMs'] !== undefined;
}

// All transfers together; the account's other requests go on beside them (downloads.md c.5).
const maxCalls = 4;
const loginPauseMs = 5000;
const firstPauseMs = 2000;
const longestPauseMs = 60_000;

/** Calls of one catalog's server. `random` is in [0, 1). */
export function createLinkCalls(options: { clock: Clock; random?: () => number }): LinkCalls {
  return new GatedCalls(options);
}

class GatedCalls implements LinkCalls {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #gate: RequestGate;
  #failures = 0;
  /** `untilMs` by what has elapsed. */
  #pause: { error: AppError; untilMs: number } | null = null;

  constructor({ clock, random = Math.random }: { clock: Clock; random?: () => number }) {
    this.#clock = clock;
    this.#random = random;
    this.#gate = createRequestGate({ maxRequests: maxCalls, clock });
  }

  run<Result>(call: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#gate.run(async () => {
      this.#throwIfPaused();
      try {
        const result = await call();
        this.#failures = 0;
        this.#pause = null;
        return result;
      } catch (thrown) {
        this.#note(toAppError(thrown));
        throw thrown;
      }
    }, signal);
  }

  forgetRefusal(): void {
    if (this.#pause?.error.code === 'auth.required') this.#pause = null;
  }

  #throwIfPaused(): void {
    const pause = this.#pause;
    const retryAfterMs = pause === null ? 0 : pause.untilMs - elapsedMsOf(this.#clock);
    if (pause === null || retryAfterMs <= 0) return;
    const { code, message, details, retryable } = pause.error;
    throw new AppError(code, message, { details: { ...details, retryAfterMs }, retryable });
  }

  #note(error: AppError): void {
    const pauseMs = this.#pauseAfter(error);
    if (pauseMs === null) return;
    this.#failures += 1;
    this.#pause = { error, untilMs: elapsedMsOf(this.#clock) + pauseMs };
  }

  #pauseAfter({ code, details }: AppError): number | null {
    const { retryAfterMs, status, isElsewhere } = details;
    // So that thousands of files don't ask one after the other. Whoever logs in meanwhile doesn't wait long for it.
    if (code === 'auth.required' && isElsewhere !== true) return loginPauseMs;
    if (code === 'http.too-many-requests' && typeof retryAfterMs === 'number')
      return Math.min(retryAfterMs, longestWishMs);
    const isBusy = code === 'http.too-many-requests' || code === 'network.timeout';
    if (!isBusy && !(typeof status === 'number' && status >= 500)) return null;
    const longestMs = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    return Math.round(longestMs / 2 + (longestMs / 2) * this.#random());
  }
}
