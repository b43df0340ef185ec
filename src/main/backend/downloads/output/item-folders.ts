import { basename, dirname } from 'node:path';
import type { Timers } from '../tasks/timers.ts';
import { clashKey } from './safe-names.ts';

// What others do in a folder is seen after this time at the latest.
const longestMs = 2000;

/** The folder of an Item, made and looked at. */
export interface ItemFolder {
  path: string;
  /** Names that are there, by what they clash with. */
  names: Map<string, string>;
}

/**
 * Folders of Items whose files come now. To claim one, and to look through it, takes many times as long as a small file:
 * the first of an Item does it for those that run beside it. A final name is never given on its word alone.
 */
export interface ItemFolders {
  /** The folder that another transfer found a moment ago, or else what `find` finds. Throws what it throws. */
  enter(transferId: number, key: string, find: () => Promise<ItemFolder>): Promise<ItemFolder>;
  /** A file has got its name. */
  noteName(filePath: string): void;
  /** The last to leave takes with it what is known of the folder. */
  leave(transferId: number): void;
}

interface Entry {
  finding: Promise<ItemFolder>;
  found: ItemFolder | null;
  foundAtMs: number;
  users: Set<number>;
}

/** Makes the memory of folders, which is empty whenever nothing runs. */
export function createItemFolders(timers: Timers): ItemFolders {
  const entries = new Map<string, Entry>();

  function leave(transferId: number): void {
    for (const [key, { users }] of entries)
      if (users.delete(transferId) && users.size === 0) entries.delete(key);
  }

  function freshEntry(key: string, find: () => Promise<ItemFolder>): Entry {
    const known = entries.get(key);
    const foundAtMs = timers.elapsedMs();
    if (known !== undefined && foundAtMs - known.foundAtMs < longestMs) return known;
    const entry = { finding: find(), found: null, foundAtMs, users: known?.users ?? new Set<number>() };
    entries.set(key, entry);
    return entry;
  }

  return {
    async enter(transferId, key, find) {
      const entry = freshEntry(key, find);
      entry.users.add(transferId);
      try {
        entry.found = await entry.finding;
        return entry.found;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    noteName(filePath) {
      const name = basename(filePath);
      for (const { found } of entries.values())
        if (found?.path === dirname(filePath)) found.names.set(clashKey(name), name);
    },
    leave,
  };
}
