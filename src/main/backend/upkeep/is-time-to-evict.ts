import type { LibraryLimits } from '#shared/settings/settings.ts';

/** Items grow older by days. */
const agesEveryMs = 3_600_000;

/** When the libraries were gone through last, and what they used then. */
export interface EvictionLook {
  atMs: number;
  usedBytes: number;
}

/**
 * Whether libraries are to be gone through, which takes seconds of work on each: where they use more than they may, and
 * other than when that was done last; and by the age of their Items once an hour.
 */
export function isTimeToEvict(
  { sizeBytes, ageDays }: LibraryLimits,
  now: EvictionLook,
  last: EvictionLook | null,
): boolean {
  if (sizeBytes !== null && now.usedBytes > sizeBytes && now.usedBytes !== last?.usedBytes) return true;
  // The clock may have been set back.
  return ageDays !== null && (last === null || Math.abs(now.atMs - last.atMs) >= agesEveryMs);
}
