/** The time that a collection spans, in days: `2024-01-01 to 2026-10-31`, `since 2015-06-27`; null when it doesn't say. */
export function describeInterval(interval: readonly [string | null, string | null] | null): string | null {
  if (!interval) return null;
  const start = interval[0]?.slice(0, 10);
  const end = interval[1]?.slice(0, 10);
  if (start && end) return `${start} to ${end}`;
  if (start) return `since ${start}`;
  return end ? `until ${end}` : null;
}
