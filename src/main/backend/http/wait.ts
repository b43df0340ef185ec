import { setTimeout as setTimer } from 'node:timers/promises';

/** Waits; rejects when the signal aborts. */
export type Wait = (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;

/** Waits by the system's timer. */
export const waitForTimer: Wait = async (delayMs, signal) => {
  await setTimer(delayMs, undefined, signal ? { signal } : {});
};
