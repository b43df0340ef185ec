import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '#shared/stac/json.ts';
import { hrefsOf, newLocalCatalog } from './local-catalog.ts';
import { sidecarNames } from './output-layout.ts';
import { readJson } from './write-json.ts';

// As Swath writes them, and nothing that leads out of the folder. `.` and `..` are no safe names.
const toCollection = /^\.\/(?!\.{1,2}\/)[^/\\\0]+\/collection\.json$/;
const toItem = /^\.\/(\d{4}|undated)\/(?!\.{1,2}\/)[^/\\\0]+\/item\.json$/;

/**
 * Folders to which the static catalog's links lead (design §11), and that went together with all that was in them: of
 * Items, neither `item.json` nor receipt is there. Only a folder's own links are followed, one step.
 */
export async function findLostFolders({
  path: folder,
  names,
}: {
  path: string;
  names: readonly string[];
}): Promise<string[]> {
  const linksOf = (name: string, rel: 'child' | 'item') =>
    names.includes(name) ? readLinks(join(folder, name), rel) : Promise.resolve([]);
  const catalog = await linksOf('catalog.json', 'child');
  const collection = await linksOf('collection.json', 'item');
  const lost: string[] = [];
  for (const href of catalog) {
    const path = join(folder, dirname(href));
    if (toCollection.test(href) && !(await isThere(path))) lost.push(path);
  }
  for (const href of collection) {
    const path = join(folder, dirname(href));
    if (!toItem.test(href)) continue;
    const isKept =
      (await isThere(join(path, sidecarNames.receipt))) || (await isThere(join(path, sidecarNames.item)));
    if (!isKept) lost.push(path);
  }
  return lost;
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
    (thrown: unknown) => (thrown as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}
