import { formatRate } from './format-bytes.ts';

/** Rates to choose from, in bytes per second. */
export const rateChoices = [
  500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
] as const;

/** A rate as it was typed, `2.5 MB/s` or `800 kB`, in bytes per second; MB where no unit was; null when it is none. */
export function readRate(typed: string): number | null {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*(k|m|g)?(b|bit)?(?:\/s|ps)?\s*$/i.exec(typed);
  if (!match) return null;
  const [, number = '', prefix = 'm', unit = 'B'] = match;
  const factor = { k: 1e3, m: 1e6, g: 1e9 }[prefix.toLowerCase()] ?? 1;
  // Written with a small b, or in full, bits are meant: networks are sold by them.
  const isBits = unit === 'b' || unit.toLowerCase() === 'bit';
  const rate = Math.round((Number(number.replace(',', '.')) * factor) / (isBits ? 8 : 1));
  return rate >= 1024 && rate <= 1e12 ? rate : null;
}

/** What a person is told who typed something else. */
export const rateHint =
  'Type a bandwidth of 2 kB/s or more, such as 2.5 MB/s or 20 Mbit/s. The limit is as it was.';

/** A limit in words. */
export function describeLimit(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? 'none' : formatRate(bytesPerSecond);
}
