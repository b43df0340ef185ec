const usualWindowMs = 5000;
const slotMs = 500;

/** Bytes per second over the last seconds. */
export interface RateMeter {
  count(bytes: number, nowMs: number): void;
  bytesPerSecond(nowMs: number): number;
}

/** What came in a stretch of time. */
interface Slot {
  fromMs: number;
  toMs: number;
  bytes: number;
}

/**
 * Begins with the first bytes. Counts in slots of half a second, so that a fast transfer costs no more than a slow one;
 * what comes in a lump after silence came in all the time since the last bytes.
 */
export function createRateMeter({ windowMs = usualWindowMs } = {}): RateMeter {
  let sinceMs: number | null = null;
  let lastMs = 0;
  let slots: Slot[] = [];

  function dropOld(nowMs: number): void {
    // A clock that was put back begins anew.
    if (nowMs < lastMs) [sinceMs, slots] = [null, []];
    slots = slots.filter(({ toMs }) => toMs > nowMs - windowMs);
  }

  return {
    count(bytes, nowMs) {
      const last = slots.at(-1);
      if (last && nowMs >= lastMs && nowMs - last.fromMs < slotMs) {
        last.bytes += bytes;
        last.toMs = nowMs;
      } else {
        dropOld(nowMs);
        slots.push({ fromMs: sinceMs === null ? nowMs : lastMs, toMs: nowMs, bytes });
      }
      sinceMs ??= nowMs;
      lastMs = nowMs;
    },
    bytesPerSecond(nowMs) {
      dropOld(nowMs);
      if (sinceMs === null) return 0;
      const bytes = slots.reduce((sum, slot) => sum + bytesSince(slot, nowMs - windowMs), 0);
      const elapsedMs = Math.min(windowMs, Math.max(nowMs - sinceMs, slotMs));
      return Math.round((bytes * 1000) / elapsedMs);
    },
  };
}

function bytesSince({ fromMs, toMs, bytes }: Slot, startMs: number): number {
  return fromMs >= startMs ? bytes : (bytes * (toMs - startMs)) / (toMs - fromMs);
}
