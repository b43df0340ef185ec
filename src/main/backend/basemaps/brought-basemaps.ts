import { readdirSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { publishPart } from '../downloads/file/publish.ts';
import { toSafeName } from '../downloads/output/safe-names.ts';

/** Basemaps that field packs brought lie in a folder of Swath's own; each is known by its content. */
const brought = /^(.+) ([0-9a-f]{16})\.mbtiles$/;

/** One of them. */
export interface BroughtBasemap {
  name: string;
  path: string;
}

/** Those in the data folder. */
export function listBrought(dataDir: string): BroughtBasemap[] {
  const folder = folderIn(dataDir);
  try {
    return readdirSync(folder).flatMap((file) => {
      const name = brought.exec(file)?.[1];
      return name === undefined ? [] : [{ name, path: join(folder, file) }];
    });
  } catch {
    return [];
  }
}

/**
 * Moves a checked MBTiles file of the same volume there. False when it is there already, under whatever name.
 * @throws AppError `transfer.*`
 */
export async function keepBrought(
  dataDir: string,
  { filePath, name, sha256 }: { filePath: string; name: string; sha256: string },
): Promise<boolean> {
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true });
  const mark = sha256.slice(0, 16);
  const files = await readdir(folder);
  if (files.some((file) => brought.exec(file)?.[2] === mark)) return false;
  const safeName = toSafeName(name, { maxBytes: 120, fallback: 'Basemap' });
  return publishPart(filePath, join(folder, `${safeName} ${mark}.mbtiles`));
}

/** Whether a file is one of them, and not a person's own. */
export function isBrought(dataDir: string, path: string): boolean {
  return dirname(path) === folderIn(dataDir) && brought.test(basename(path));
}

function folderIn(dataDir: string): string {
  return join(dataDir, 'basemaps');
}
