import { AppError } from '#shared/errors/app-error.ts';
import type { Timers } from '../tasks/timers.ts';

const secondMs = 1000;
const firstLookMs = 15 * secondMs;
const longestLookMs = 300 * secondMs;
// A computer that woke, or has changed its network, needs some seconds to be connected.
const hurriedLookMs = 2 * secondMs;
const hurriedLooks = 8;

/** Finds out whether there is a network at all, when a storage can't be reached. */
export interface NetworkWatch {
  /** Since nothing can be reached: why, and how long until the next look in milliseconds. Null while something can. */
  readonly down: { error: AppError; nextLookMs: number } | null;
  /** A server of this catalog can't be reached: perhaps nothing can. Resolves to whether something can. */
  suspect(connectionId: string): Promise<boolean>;
  /** The network may be another one, or somebody waits for it: looks at once, and more often for a while. */
  hurry(): void;
  close(): void;
}

/**
 * `probe` tells whether a catalog's own server can be reached; what the system says of the network proves nothing. One that
 * is away is no network gone: `connections` are all the catalogs that files are still to come from, and any may prove it.
 */
export function createNetworkWatch(options: {
  probe: (connectionId: string) => Promise<boolean>;
  connections: () => readonly string[];
  timers: Timers;
  /** Called when the network has gone or come, and when the next look is set. */
  onChange: () => void;
}): NetworkWatch {
  const { probe, connections, timers, onChange } = options;
  let suspected: string | null = null;
  let probing: Promise<boolean> | null = null;
  let isClosed = false;
  let isDown = false;
  let looks = 0;
  let hurried = 0;
  let lookAtMs = 0;
  let trustedUntilMs = 0;
  let cancelLook: (() => void) | null = null;

  function look(): Promise<boolean> {
    if (suspected === null || isClosed) return Promise.resolve(!isDown);
    probing ??= lookNow(suspected).finally(() => (probing = null));
    return probing;
  }

  async function lookNow(connectionId: string): Promise<boolean> {
    cancelLook?.();
    const isReachable = await isAnyTrue([...witnesses(connectionId)].map(probe));
    if (hasClosed()) return isReachable;
    if (isReachable) {
      // Others that fail for the same reason now need not ask again.
      trustedUntilMs = timers.elapsedMs() + firstLookMs;
      looks = 0;
      hurried = 0;
    } else {
      lookLater();
    }
    isDown = !isReachable;
    onChange();
    return isReachable;
  }

  function witnesses(connectionId: string): ReadonlySet<string> {
    try {
      return new Set([connectionId, ...connections()]);
    } catch {
      // The queue can't be read, which whoever works with it says.
      return new Set([connectionId]);
    }
  }

  function hasClosed(): boolean {
    return isClosed;
  }

  function lookLater(): void {
    const delayMs = hurried > 0 ? hurriedLookMs : Math.min(firstLookMs * 2 ** looks, longestLookMs);
    if (hurried > 0) hurried -= 1;
    else looks += 1;
    lookAtMs = timers.elapsedMs() + delayMs;
    cancelLook = timers.after(delayMs, () => void look());
  }

  return {
    get down() {
      if (!isDown) return null;
      const details = { isCatalog: true };
      const error = new AppError('network.offline', 'The catalog can not be reached', {
        details,
        retryable: true,
      });
      return { error, nextLookMs: Math.max(0, lookAtMs - timers.elapsedMs()) };
    },
    suspect(connectionId) {
      if (isDown || timers.elapsedMs() < trustedUntilMs) return Promise.resolve(!isDown);
      suspected = connectionId;
      return look();
    },
    hurry() {
      trustedUntilMs = 0;
      hurried = hurriedLooks;
      looks = 0;
      if (isDown) void look();
    },
    close() {
      isClosed = true;
      cancelLook?.();
    },
  };
}

// Whoever is asked in vain may take half a minute to say so: the first that can be reached decides.
function isAnyTrue(answers: readonly Promise<boolean>[]): Promise<boolean> {
  const found = answers.map(async (answer) => (await answer) || Promise.reject(new Error('Out of reach')));
  return Promise.any(found).catch(() => false);
}
