import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, from the sources, from `out/` and in a package alike. */
export function findAppRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder))
      throw new Error('Swath is not installed completely: package.json is missing');
  }
}

/** The built window. */
export function findRendererDir(): string {
  return join(findAppRoot(), 'out', 'renderer');
}
