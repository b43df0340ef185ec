import { AppError } from '#shared/errors/app-error.ts';
import type { Timers } from '../tasks/timers.ts';

const tickMs = 50;
// A tick that comes late must lose nothing; while nobody waits, no more is saved up than would be felt as one piece.
const latestTickMs = 200;
// A file's head is judged by its first bytes, and many small parts cost more than they are worth.
const leastPieceBytes = 16 * 1024;

/** The bandwidth that all transfers share. */
export interface Throttle {
  /** The limit now; null without one: then `take` needn't be called. */
  readonly bytesPerSecond: number | null;
  readonly isLimited: boolean;
  /** What is taken at once at most, so that it comes steadily and not in lumps; Infinity without a limit. */
  readonly pieceBytes: number;
  /** Whether somebody waits for bandwidth now: then the server isn't to blame for the silence. */
  readonly isThrottling: boolean;
  /**
   * Resolves when so many bytes may be had; at once without a limit. Of the transfers that wait, told apart by their
   * signal, the one that had least is served first.
   * @throws AppError `cancelled`
   */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** Changes the limit for those who wait already, too; null for none. */
  setRate(bytesPerSecond: number | null): void;
}

interface Claim {
  bytes: number;
  signal: AbortSignal;
  resolve: () => void;
}

/** Makes a bandwidth with this limit. No timer runs while nobody waits. */
export function createThrottle(timers: Timers, bytesPerSecond: number | null): Throttle {
  let rate = bytesPerSecond;
  // Below 0 after a chunk that was larger than what there was.
  let savedBytes = 0;
  let filledAtMs = timers.elapsedMs();
  let cancelTick: (() => void) | null = null;
  let claims: Claim[] = [];
  const served = new WeakMap<AbortSignal, number>();
  /** What those who are served now have had; who comes anew begins there. */
  let servedNow = 0;

  function fill(): void {
    const nowMs = timers.elapsedMs();
    if (rate !== null) {
      const mostMs = claims.length > 0 ? latestTickMs : tickMs;
      savedBytes = Math.min(savedBytes + (rate * (nowMs - filledAtMs)) / 1000, (rate * mostMs) / 1000);
    }
    filledAtMs = nowMs;
  }

  function spend(bytes: number, signal: AbortSignal): void {
    servedNow = Math.max(servedNow, served.get(signal) ?? 0);
    served.set(signal, (served.get(signal) ?? servedNow) + bytes);
    savedBytes -= bytes;
  }

  function tick(): void {
    cancelTick = null;
    fill();
    while (savedBytes > 0 && claims.length > 0) {
      const next = claims.reduce((least, claim) => (servedOf(claim) < servedOf(least) ? claim : least));
      claims = claims.filter((claim) => claim !== next);
      spend(next.bytes, next.signal);
      next.resolve();
    }
    schedule();
  }

  function servedOf({ signal }: Claim): number {
    return served.get(signal) ?? servedNow;
  }

  function schedule(): void {
    if (cancelTick === null && claims.length > 0) cancelTick = timers.after(tickMs, tick);
  }

  function wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        claims = claims.filter((other) => other !== claim);
        reject(stopped());
      };
      const claim: Claim = {
        bytes,
        signal,
        resolve: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      claims.push(claim);
      signal.addEventListener('abort', onAbort, { once: true });
      schedule();
    });
  }

  return {
    get bytesPerSecond() {
      return rate;
    },
    get isLimited() {
      return rate !== null;
    },
    get pieceBytes() {
      return rate === null ? Infinity : Math.max(leastPieceBytes, Math.floor((rate * tickMs) / 1000));
    },
    get isThrottling() {
      return claims.length > 0;
    },
    take(bytes, signal) {
      if (signal.aborted) return Promise.reject(stopped());
      if (rate === null || bytes <= 0) return Promise.resolve();
      fill();
      if (claims.length > 0 || savedBytes <= 0) return wait(bytes, signal);
      spend(bytes, signal);
      return Promise.resolve();
    },
    setRate(next) {
      if (next === rate) return;
      fill();
      rate = next;
      // What was saved, or owed, at another rate would be felt as none at all, or for long.
      savedBytes = 0;
      if (rate !== null) return;
      cancelTick?.();
      cancelTick = null;
      for (const { resolve } of claims) resolve();
      claims = [];
    },
  };
}

function stopped(): AppError {
  return new AppError('cancelled', 'The transfer was stopped');
}
