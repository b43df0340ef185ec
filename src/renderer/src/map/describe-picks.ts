import { formatCount } from '../format/format-number.ts';

/** What a box has picked: `24 picked`, and what of it was picked before. */
export function describePicks(hitCount: number, addedCount: number): string {
  if (hitCount === 0) return 'No footprints in this box.';
  const before = hitCount - addedCount;
  if (addedCount === 0) return `${formatCount(hitCount)} in this box, all picked before.`;
  return before === 0
    ? `${formatCount(addedCount)} picked.`
    : `${formatCount(addedCount)} picked, ${formatCount(before)} were before.`;
}
