const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A size in decimal units with three figures: `81.0 MB`, `1.13 GB`. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${Math.round(sizeBytes)} bytes`;
  let value = sizeBytes;
  let unit = 0;
  // 999.5 would round to 1000 of the same unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${toThreeFigures(value)} ${units[unit] ?? ''}`;
}

/** A part of a size: `61.4 of 85.2 MB`, `810 kB of 1.13 GB`. */
export function formatShare(partBytes: number, wholeBytes: number): string {
  const [part, whole] = [formatBytes(partBytes), formatBytes(wholeBytes)];
  const [, unit = ''] = whole.split(' ');
  return `${part.endsWith(` ${unit}`) ? part.slice(0, -unit.length - 1) : part} of ${whole}`;
}

/** A rate in decimal units: `14.1 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

function toThreeFigures(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
