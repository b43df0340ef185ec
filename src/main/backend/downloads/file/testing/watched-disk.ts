import type { Disk, DiskFile } from '../disk.ts';

/**
 * A disk of which every call, of its files as well, is told beforehand, or afterwards; what `onCall` throws is the call's
 * result.
 */
export function createWatchedDisk(
  disk: Disk,
  onCall: (name: string, path: string) => void,
  when: 'before' | 'after' = 'before',
): Disk {
  function watch<Target extends object>(target: Target, pathOf: (args: unknown[]) => string): Target {
    const watched = Object.entries(target).map(([name, work]: [string, unknown]) => [
      name,
      async (...args: unknown[]) => {
        // A file whose closing failed is closed all the same.
        if (name === 'close') await (work as () => Promise<void>)();
        if (when === 'before' || name === 'close') onCall(name, pathOf(args));
        if (name === 'close') return undefined;
        const result: unknown = await (work as (...given: unknown[]) => unknown)(...args);
        if (when === 'after') onCall(name, pathOf(args));
        return name === 'open' ? watch(result as DiskFile, () => String(args[0])) : result;
      },
    ]);
    return Object.fromEntries(watched) as Target;
  }
  return watch({ ...disk }, ([path]) => String(path));
}
