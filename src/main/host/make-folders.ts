import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those around it, where they are missing. Node's own way never ends where a system says of a new folder
 * that the one around it isn't there, as that of processes does.
 * @throws the system's error
 */
export function makeFolders(path: string): void {
  if (isFolder(path)) return;
  const around = dirname(path);
  if (around !== path) makeFolders(around);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another program was quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
