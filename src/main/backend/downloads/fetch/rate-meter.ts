const usualWindowMs = 5000;
const slotMs = 500;

/** Bytes per second over the last seconds. */
export interface RateMeter {
  count(bytes: number, nowMs: number): void;
  bytesPerSecond(nowMs: number): number;
}

/** Counts in slots of half a second, so that a fast transfer costs no more than a slow one. */
export function createRateMeter(startMs: number, { windowMs = usualWindowMs } = {}): RateMeter {
  let sinceMs = startMs;
  let slots: { startMs: number; bytes: number }[] = [];

  function dropOld(nowMs: number): void {
    // A clock that was put back begins anew.
    sinceMs = Math.min(sinceMs, nowMs);
    slots = slots.filter((slot) => slot.startMs >= nowMs - windowMs && slot.startMs <= nowMs);
  }

  return {
    count(bytes, nowMs) {
      const last = slots.at(-1);
      if (last && nowMs >= last.startMs && nowMs - last.startMs < slotMs) {
        last.bytes += bytes;
        return;
      }
      dropOld(nowMs);
      // Time in which nothing could come yet is no part of how fast it comes.
      if (slots.length === 0) sinceMs = nowMs;
      slots.push({ startMs: nowMs, bytes });
    },
    bytesPerSecond(nowMs) {
      dropOld(nowMs);
      const bytes = slots.reduce((sum, slot) => sum + slot.bytes, 0);
      const elapsedMs = Math.min(windowMs, Math.max(nowMs - sinceMs, slotMs));
      return Math.round((bytes * 1000) / elapsedMs);
    },
  };
}
