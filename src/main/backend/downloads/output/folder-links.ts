import { dirname, join } from 'node:path';
import { toAppError } from '#shared/errors/app-error.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { Logger } from '../../ports.ts';
import type { Disk } from '../file/disk.ts';
import type { SerialTasks } from '../tasks/serial-tasks.ts';
import type { Timers } from '../tasks/timers.ts';
import { aloneInFolder } from './folder-claim.ts';
import { addLinks, hrefsOf, type DownLink } from './local-catalog.ts';
import { sidecarNames } from './output-layout.ts';
import { readJson, writeJson } from '../file/write-json.ts';

// Up to here a collection is written with every Item; a long one takes many at a time.
const fewLinks = 100;
const leastBetweenMs = 2000;

/** An Item that its Collection is to lead to. */
export interface ItemToLink {
  collectionFolder: string;
  collectionId: string;
  /** Relative to the Collection's folder. */
  itemHref: string;
  itemId: string;
  /** The Collection for a folder that has none yet. */
  makeCollection: () => Promise<JsonObject>;
}

/** Writes the links from Collections to Items, of large Collections for many Items at once. */
export interface FolderLinks {
  /** Resolves when the link is there, or will be within two seconds. Throws the file system's errors. */
  add(item: ItemToLink): Promise<void>;
  /** Writes what is still to be written. */
  flush(): Promise<void>;
}

interface Folder {
  waiting: Map<string, ItemToLink>;
  linkCount: number;
  isLooked: boolean;
  cancelTimer: (() => void) | null;
}

/** Links of all folders. Those that a crash has left out are found again at the first use of a folder. */
export function createFolderLinks(parts: {
  disk: Disk;
  tasks: SerialTasks;
  timers: Timers;
  logger: Logger;
}): FolderLinks {
  const { disk, tasks, timers, logger } = parts;
  const folders = new Map<string, Folder>();

  function folderOf(path: string): Folder {
    const folder = folders.get(path) ?? {
      waiting: new Map(),
      linkCount: 0,
      isLooked: false,
      cancelTimer: null,
    };
    folders.set(path, folder);
    return folder;
  }

  function write(path: string): Promise<void> {
    const folder = folderOf(path);
    folder.cancelTimer?.();
    folder.cancelTimer = null;
    return tasks.run(path, async () => {
      const taken = [...folder.waiting.values()];
      const [first] = taken;
      if (first === undefined) return;
      // Asked for before anybody else is kept waiting.
      const isNew = (await readJson(join(path, 'collection.json'), disk)) === undefined;
      const made = isNew ? await first.makeCollection() : null;
      const make = () => made ?? first.makeCollection();
      await aloneInFolder(path, disk, () => writeLinks({ path, folder, first, taken, make }));
      for (const [href, item] of [...folder.waiting]) if (taken.includes(item)) folder.waiting.delete(href);
    });
  }

  async function writeLinks(what: {
    path: string;
    folder: Folder;
    first: ItemToLink;
    taken: readonly ItemToLink[];
    make: () => JsonObject | Promise<JsonObject>;
  }): Promise<void> {
    const { path, folder, first, taken, make } = what;
    const links: DownLink[] = taken.map(({ itemHref, itemId }) => ({ href: itemHref, title: itemId }));
    const filePath = join(path, 'collection.json');
    const current = await readJson(filePath, disk);
    const isOurs = isJsonObject(current) && current['id'] === first.collectionId;
    if (current !== undefined && !isOurs) {
      // A file of somebody else's is never changed, not even to make the catalog whole.
      logger.warn('download.foreign-sidecar', { path: filePath });
      return;
    }
    const collection = isOurs ? current : await make();
    if (isOurs && !folder.isLooked) links.push(...(await findItems(disk, path, collection)));
    folder.isLooked = true;
    const linked = addLinks(collection, 'item', links);
    folder.linkCount = Array.isArray(linked['links']) ? linked['links'].length : 0;
    if (linked !== collection) await writeJson(filePath, linked, disk);
  }

  function writeLater(path: string, folder: Folder): void {
    folder.cancelTimer ??= timers.after(leastBetweenMs, () => {
      write(path).catch((error: unknown) => {
        logger.warn('download.links-left', { path, reason: toAppError(error).message });
      });
    });
  }

  return {
    async add(item) {
      const folder = folderOf(item.collectionFolder);
      folder.waiting.set(item.itemHref, item);
      if (folder.linkCount < fewLinks) await write(item.collectionFolder);
      else writeLater(item.collectionFolder, folder);
    },
    async flush() {
      await Promise.all(
        [...folders].map(([path, { waiting }]) => (waiting.size > 0 ? write(path) : Promise.resolve())),
      );
    },
  };
}

// Items that a crash has kept from being linked.
async function findItems(disk: Disk, path: string, collection: JsonObject): Promise<DownLink[]> {
  const known = hrefsOf(collection, 'item');
  const found: DownLink[] = [];
  for (const year of await disk.readdir(path)) {
    if (!/^(\d{4}|undated)$/.test(year)) continue;
    for (const item of await disk.readdir(join(path, year)).catch(() => [])) {
      const href = `./${year}/${item}/${sidecarNames.item}`;
      if (known.has(href)) continue;
      const isThere = await disk.lstat(join(path, href)).then(
        ({ kind }) => kind === 'file',
        () => false,
      );
      if (isThere) found.push({ href, title: item });
    }
  }
  return found;
}

/** Where the Collection of an Item's folder is. */
export function collectionFolderOf(itemFolder: string): string {
  return dirname(dirname(itemFolder));
}
