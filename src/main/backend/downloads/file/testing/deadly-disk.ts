import type { Disk } from '../disk.ts';
import { createWatchedDisk } from './watched-disk.ts';

/** A disk that kills the process at one of its calls, before it or after it and before anybody hears of it. */
export function createDeadlyDisk(disk: Disk, death: { call: string; count: number; isAfter: boolean }): Disk {
  let calls = 0;
  const die = (name: string): void => {
    if (name !== death.call) return;
    calls += 1;
    if (calls === death.count) process.kill(process.pid, 'SIGKILL');
  };
  return createWatchedDisk(disk, die, death.isAfter ? 'after' : 'before');
}
