/**
 * What two runs of a search can't tell of each other, in sentences: of what was evicted, nothing says whether the other
 * run had it too.
 */
export function describeEvicted({ older, newer }: { older: number; newer: number }): string[] {
  return [
    older > 0 ? `${describe(older, 'earlier')} evicted: what looks new may have been there before.` : null,
    newer > 0 ? `${describe(newer, 'later')} evicted: what was new or changed of that isn’t told.` : null,
  ].filter((sentence) => sentence !== null);
}

function describe(count: number, which: string): string {
  const items = `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;
  return `${items} of the ${which} search ${count === 1 ? 'was' : 'were'}`;
}
