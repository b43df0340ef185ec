import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** All files in a folder and in those inside it, by their paths from there, in the order of these. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
