import type { Random } from '../random.ts';

/** RFC 3339 with six digits of fraction, as the service writes it. */
export function toMicrosText(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const micros = Math.floor((epochMs - wholeMs) * 1000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** `20260714T104031`, as product names write it. */
export function toCompactTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace(/[-:]/g, '');
}

/** `20260714`. */
export function toCompactDate(epochMs: number): string {
  return toCompactTime(epochMs).slice(0, 8);
}

/** `created` and `updated` of an item published some hours after it was ready. */
export function publishingTimes(readyMs: number, random: Random): { created: string; updated: string } {
  const createdMs = readyMs + random.between(0.2, 6) * 3_600_000;
  const updatedMs = createdMs + random.between(1, 40) * 60_000;
  return { created: toMicrosText(createdMs), updated: toMicrosText(updatedMs) };
}
