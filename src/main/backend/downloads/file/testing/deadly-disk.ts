import type { Disk } from '../disk.ts';
import { createWatchedDisk } from './watched-disk.ts';

/** The call to the disk, and which of its kind, before or after which the process dies. */
export interface Death {
  call: string;
  count: number;
  isAfter: boolean;
  /** Calls for paths without this don't count. */
  path?: string;
}

/** A disk that kills the process at one of its calls, before it or after it and before anybody hears of it. */
export function createDeadlyDisk(disk: Disk, death: Death): Disk {
  let calls = 0;
  const die = (name: string, path: string): void => {
    if (name !== death.call || !path.includes(death.path ?? '')) return;
    calls += 1;
    if (calls === death.count) process.kill(process.pid, 'SIGKILL');
  };
  return createWatchedDisk(disk, die, death.isAfter ? 'after' : 'before');
}
