import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '#shared/stac/json.ts';
import { isNotThere } from '../file/disk-error.ts';
import { hrefsOf, newLocalCatalog } from './local-catalog.ts';
import { sidecarNames } from './output-layout.ts';
import { readJson } from '../file/write-json.ts';

// As Swath writes them, and nothing that leads out of the folder. `.` and `..` are no safe names.
const toCollection = /^\.\/(?!\.{1,2}\/)[^/\\\0]+\/collection\.json$/;
const toItem = /^\.\/(\d{4}|undated)\/(?!\.{1,2}\/)[^/\\\0]+\/item\.json$/;

/** What the static catalog's links (design §11) lead to, and that is no longer there. */
export interface Lost {
  /** Folders with all that was in them. */
  folders: string[];
  /** Receipts of Items' folders from which `item.json` is gone, too: nothing in these says that they were Items'. */
  receipts: string[];
}

/** What a folder's own links say is lost; only these are followed, one step. */
export async function findLost({
  path: folder,
  names,
}: {
  path: string;
  names: readonly string[];
}): Promise<Lost> {
  const linksOf = (name: string, rel: 'child' | 'item') =>
    names.includes(name) ? readLinks(join(folder, name), rel) : Promise.resolve([]);
  const collections = (await linksOf('catalog.json', 'child')).filter((href) => toCollection.test(href));
  const items = (await linksOf('collection.json', 'item')).filter((href) => toItem.test(href));
  const folders = new Set<string>();
  for (const href of [...collections, ...items]) {
    const path = join(folder, dirname(href));
    if (!(await isThere(path))) folders.add(path);
  }
  const receipts: string[] = [];
  for (const href of items) {
    const path = join(folder, dirname(href));
    const receipt = join(path, sidecarNames.receipt);
    const isKnown = (await isThere(receipt)) || (await isThere(join(path, sidecarNames.item)));
    if (!isKnown && !folders.has(path)) receipts.push(receipt);
  }
  return { folders: [...folders], receipts };
}

async function readLinks(path: string, rel: 'child' | 'item'): Promise<string[]> {
  const found = await readJson(path).catch(() => undefined);
  if (!isJsonObject(found)) return [];
  // Somebody else's catalog may lead to what was never brought home.
  if (rel === 'child' && found['id'] !== newLocalCatalog()['id']) return [];
  return [...hrefsOf(found, rel)].filter((href) => typeof href === 'string');
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    // What can't be looked at may be there.
    (thrown: unknown) => !isNotThere(thrown),
  );
}
