import { readFileSync } from 'node:fs';

/**
 * The most memory that this process had. Linux's own count of a process begins with what the one that started it had, so
 * there it is read from where only this one's is told.
 */
export function readPeakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
  return Number(found?.[1] ?? NaN) * 1024;
}
