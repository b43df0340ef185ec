import type { ErrorData } from '#shared/errors/app-error.ts';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A size in decimal units with three figures: `81.0 MB`. */
export function sayBytes(sizeBytes: number): string {
  let value = Math.abs(sizeBytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const figures = value >= 99.95 || unit === 0 ? 0 : value >= 9.995 ? 1 : 2;
  return `${sizeBytes < 0 ? '-' : ''}${value.toFixed(figures)} ${units[unit] ?? ''}`;
}

/** What is in the way, and how many bytes are missing where it is room: `There is too little space in /out: 81.0 MB missing`. */
export function sayProblem({ message, details }: Pick<ErrorData, 'message' | 'details'>): string {
  const { missingBytes } = details;
  return typeof missingBytes === 'number' ? `${message}: ${sayBytes(missingBytes)} missing` : message;
}

/** `1 file`, `12 files`. */
export function sayCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `40 s`, `12 min`, `3 h 5 min`. */
export function sayDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
