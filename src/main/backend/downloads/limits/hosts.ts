import { AppError } from '#shared/errors/app-error.ts';
import { longestWishMs } from '../../http/retry.ts';
import type { Timers } from '../tasks/timers.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';

const secondMs = 1000;
const longestOwnPauseMs = 300 * secondMs;
const recoveryMs = 60 * secondMs;
const mostStalls = 3;
// It may have been something on the way, or a file that was replaced just then.
const singleMs = 600 * secondMs;
const mostExpected = 8;

/** What is known of the servers that files come from, for as long as the process lives. `origin` as URLs have it. */
export interface Hosts {
  /** Milliseconds left of a pause that the server has asked for, 0 when there is none. All transfers from it keep it. */
  pauseLeftMs(origin: string): number;
  /**
   * The server is busy (429, 503): begins a pause, of the length that it wants or of one that grows from time to time,
   * and halves its connections. Gives the pause's length in milliseconds.
   */
  noteBusy(origin: string, wishMs: number | null): number;
  /** A person wants files now: each server that has asked for a pause is asked once more. */
  endPauses(): void;
  /** The server works again. */
  noteAnswer(origin: string): void;
  /**
   * A body that began then has fallen silent, or only dripped. After three in a row whatever comes from there needs more
   * patience: something on the way may read all of it before it lets it through.
   */
  noteStall(origin: string, startedMs: number): void;
  /** A body came to its end. */
  noteWhole(origin: string): void;
  /** Whether that has happened three times in a row, once. */
  isSluggish(origin: string): boolean;
  /**
   * The server refused while it had several connections: it has fewer from now on, and asking again is worth it. False
   * when this was its only one, so that the refusal means what it says, and those before may have meant the same: it has
   * as many as ever again. Asked before the connection is given back.
   */
  lowerAfterRefusal(origin: string): boolean;
  /**
   * The server left a connection unanswered while it served others: it has fewer from now on, and one more every minute.
   * Told after the connection was given back.
   */
  noteUnanswered(origin: string): void;
  /** One of its ranges was wrong: each file from there comes in one stream for a while. */
  noteWrongRange(origin: string): void;
  /** Whether several ranges of a file are worth a try. */
  mayUseRanges(origin: string): boolean;
  /** How many connections the server may have now. */
  mostConnections(origin: string): number;
  /** Whether the server can have another connection at once. */
  hasRoom(origin: string): boolean;
  /**
   * Resolves when the server may have one more connection, to the way to give it back; first come, first served.
   * @throws AppError `cancelled`
   */
  connect(origin: string, signal: AbortSignal): Promise<() => void>;
  /** Takes one retry of the server's budget: milliseconds until it may happen, so that many don't make a storm. */
  takeRetry(origin: string): number;
  /** Remembers where files of a collection were had from. */
  expect(collection: CollectionKey, origin: string): void;
  /** Where a file may be had from: the servers that those of its collection came from last; none when nothing is known. */
  expected(collection: CollectionKey): readonly string[];
  setMostConnections(count: number): void;
}

interface CollectionKey {
  connectionId: string;
  collectionId: string;
}

interface Host {
  openCount: number;
  waiting: (() => void)[];
  /** Calls off the look at whether those that wait may have one more by then; null while none is set. */
  cancelLook: (() => void) | null;
  /** Fewer than are allowed, because the server wants that; null while it has said nothing. */
  wantedCount: number | null;
  /** Since when it may have one more every minute; null for never: that was concluded from refusals. */
  recoversFromMs: number | null;
  pausedUntilMs: number;
  /** Until when its files come in one stream. */
  singleUntilMs: number;
  busyCount: number;
  /** In a row; kept from the third on. */
  stallCount: number;
  stalledAtMs: number;
  budget: RetryBudget;
}

/** Nothing known of any server. Times are measured by `timers`, so that nobody can put them off. */
export function createHosts(options: {
  timers: Timers;
  random: () => number;
  mostConnections: number;
}): Hosts {
  const { timers, random } = options;
  let most = options.mostConnections;
  const hosts = new Map<string, Host>();
  const expectations = new Map<string, string[]>();

  function hostOf(origin: string): Host {
    const known = hosts.get(origin);
    if (known !== undefined) return known;
    const host: Host = {
      openCount: 0,
      waiting: [],
      cancelLook: null,
      wantedCount: null,
      recoversFromMs: null,
      pausedUntilMs: 0,
      singleUntilMs: -Infinity,
      busyCount: 0,
      stallCount: 0,
      stalledAtMs: -Infinity,
      budget: createRetryBudget(timers),
    };
    hosts.set(origin, host);
    return host;
  }

  function limitOf({ wantedCount, recoversFromMs }: Host): number {
    if (wantedCount === null) return most;
    const sinceMs = recoversFromMs === null ? 0 : timers.elapsedMs() - recoversFromMs;
    return Math.min(most, wantedCount + Math.max(0, Math.floor(sinceMs / recoveryMs)));
  }

  function halve(host: Host): void {
    const now = Math.min(limitOf(host), Math.max(1, host.openCount));
    host.wantedCount = Math.max(1, Math.floor(now / 2));
  }

  function admit(host: Host): void {
    while (host.openCount < limitOf(host)) {
      const next = host.waiting.shift();
      if (next === undefined) break;
      host.openCount += 1;
      next();
    }
    lookLater(host);
  }

  // Whoever stands in line is let in when the server may have more again, and not only when another is done.
  function lookLater(host: Host): void {
    host.cancelLook?.();
    host.cancelLook = null;
    const { recoversFromMs, wantedCount, waiting } = host;
    if (waiting.length === 0 || wantedCount === null || recoversFromMs === null) return;
    if (limitOf(host) >= most) return;
    const sinceMs = timers.elapsedMs() - recoversFromMs;
    host.cancelLook = timers.after(recoveryMs - (sinceMs % recoveryMs), () => admit(host));
  }

  function once(host: Host): () => void {
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      host.openCount -= 1;
      admit(host);
    };
  }

  return {
    pauseLeftMs: (origin) => Math.max(0, (hosts.get(origin)?.pausedUntilMs ?? 0) - timers.elapsedMs()),
    endPauses() {
      for (const host of hosts.values()) host.pausedUntilMs = 0;
    },
    noteBusy(origin, wishMs) {
      const host = hostOf(origin);
      const nowMs = timers.elapsedMs();
      const isFirst = host.pausedUntilMs <= nowMs;
      // Answers to requests that were on their way already say nothing new.
      if (isFirst) {
        host.busyCount += 1;
        halve(host);
      }
      host.recoversFromMs = nowMs;
      lookLater(host);
      // Half of it is certain: full jitter would let many transfers come back at once.
      const ownMs = Math.min(10 * secondMs * 2 ** (host.busyCount - 1), longestOwnPauseMs);
      // Who asks for a moment, again and again, has less than that to give.
      const leastMs = Math.min(secondMs * 2 ** Math.max(0, host.busyCount - 3), longestOwnPauseMs);
      const pauseMs =
        wishMs === null
          ? ownMs / 2 + (random() * ownMs) / 2
          : Math.min(Math.max(wishMs, leastMs), longestWishMs);
      if (isFirst || wishMs !== null) host.pausedUntilMs = Math.max(host.pausedUntilMs, nowMs + pauseMs);
      return Math.round(host.pausedUntilMs - nowMs);
    },
    noteAnswer: (origin) => void (hostOf(origin).busyCount = 0),
    noteStall(origin, startedMs) {
      const host = hostOf(origin);
      // Several at once are one event, such as a network that was away.
      if (startedMs <= host.stalledAtMs) return;
      host.stallCount += 1;
      host.stalledAtMs = timers.elapsedMs();
    },
    noteWhole(origin) {
      const host = hostOf(origin);
      if (host.stallCount < mostStalls) host.stallCount = 0;
    },
    isSluggish: (origin) => (hosts.get(origin)?.stallCount ?? 0) >= mostStalls,
    lowerAfterRefusal(origin) {
      const host = hostOf(origin);
      if (host.openCount < 2) {
        if (host.recoversFromMs === null) host.wantedCount = null;
        admit(host);
        return false;
      }
      // Others that were opened before it was lowered say nothing new.
      if (host.openCount <= limitOf(host)) halve(host);
      // Unlike a busy one, such a server never changes its mind.
      host.recoversFromMs = null;
      return true;
    },
    noteUnanswered(origin) {
      const host = hostOf(origin);
      // Of several at once the first says it for all.
      if (host.openCount < limitOf(host)) {
        host.wantedCount = Math.max(1, host.openCount);
        host.recoversFromMs = timers.elapsedMs();
        lookLater(host);
      }
    },
    noteWrongRange: (origin) => void (hostOf(origin).singleUntilMs = timers.elapsedMs() + singleMs),
    mayUseRanges: (origin) => timers.elapsedMs() >= (hosts.get(origin)?.singleUntilMs ?? -Infinity),
    mostConnections: (origin) => limitOf(hostOf(origin)),
    hasRoom(origin) {
      const host = hostOf(origin);
      return host.openCount + host.waiting.length < limitOf(host);
    },
    connect(origin, signal) {
      const host = hostOf(origin);
      if (signal.aborted) return Promise.reject(stopped());
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          host.waiting = host.waiting.filter((other) => other !== enter);
          lookLater(host);
          reject(stopped());
        };
        const enter = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(once(host));
        };
        signal.addEventListener('abort', onAbort, { once: true });
        host.waiting.push(enter);
        admit(host);
      });
    },
    takeRetry: (origin) => hostOf(origin).budget.take(),
    expect(collection, origin) {
      const key = keyOf(collection);
      const others = (expectations.get(key) ?? []).filter((other) => other !== origin);
      expectations.set(key, [origin, ...others].slice(0, mostExpected));
    },
    expected: (collection) => expectations.get(keyOf(collection)) ?? [],
    setMostConnections(count) {
      most = Math.max(1, Math.floor(count));
      for (const host of hosts.values()) admit(host);
    },
  };
}

function keyOf({ connectionId, collectionId }: CollectionKey): string {
  return JSON.stringify([connectionId, collectionId]);
}

function stopped(): AppError {
  return new AppError('cancelled', 'The transfer was stopped');
}
