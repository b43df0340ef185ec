import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { workFolderPrefix } from './pack-format.ts';

const longestWorkMs = 24 * 3600 * 1000;

/** Takes away what packing or unpacking left in a folder when its process was killed: nobody works at it for a day. */
export async function discardLeftFolders(parent: string, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(workFolderPrefix))) {
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true || found.mtimeMs > nowMs - longestWorkMs) continue;
    // What can't be deleted now is tried again the next time.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
