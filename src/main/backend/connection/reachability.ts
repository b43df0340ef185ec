import type { ConnectionStatus } from './connection.ts';

/** Whether a catalog's questions are answered by itself or by its library, and why. */
export interface Reachability {
  isOffline: boolean;
  /** `switch`: somebody works offline. `unreachable`: the catalog can't be reached. Null while it can. */
  cause: 'switch' | 'unreachable' | null;
  /** When the catalog is asked by itself whether it is back, in milliseconds since 1970; null when it isn't. */
  nextProbeAtMs: number | null;
}

/**
 * Judges by the switch and by what the catalog did last. One that answers, be it with an error or by letting nobody in,
 * can be reached.
 */
export function judgeReachability(status: ConnectionStatus, isSwitchedOff: boolean): Reachability {
  if (isSwitchedOff) return { isOffline: true, cause: 'switch', nextProbeAtMs: null };
  const isOffline = status.state === 'offline';
  const { nextProbeAtMs } = status;
  return isOffline
    ? { isOffline, cause: 'unreachable', nextProbeAtMs }
    : { isOffline, cause: null, nextProbeAtMs: null };
}
