import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** All files in a folder and in those inside it, by their paths from there, in the order of these. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** The only part file of a file on its way. */
export function partOf(filePath: string): string {
  const parts = readdirSync(dirname(filePath)).filter(
    (name) => name.startsWith(`${basename(filePath)}.`) && name.endsWith('.part'),
  );
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) throw new Error(`Not one part file: ${parts.join(', ')}`);
  return join(dirname(filePath), part);
}
