/** Servers that asked for a pause; all transfers from them keep it. */
export interface Cooldowns {
  /** Milliseconds left, 0 when there is no pause. */
  remainingMs(origin: string, nowMs: number): number;
  start(origin: string, untilMs: number): void;
  /** Forgets all: the clock that they were measured by has been changed. */
  clear(): void;
}

/** Remembers pauses for as long as the process lives; servers ask again after that. */
export function createCooldowns(): Cooldowns {
  const until = new Map<string, number>();
  return {
    remainingMs: (origin, nowMs) => Math.max(0, (until.get(origin) ?? 0) - nowMs),
    start: (origin, untilMs) => void until.set(origin, Math.max(untilMs, until.get(origin) ?? 0)),
    clear: () => until.clear(),
  };
}
