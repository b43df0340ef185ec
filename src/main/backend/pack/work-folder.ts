import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { isProcessAlive } from '../is-process-alive.ts';

/** Begins the name of a folder that is only there while a pack is made or taken in; the process's number follows. */
const prefix = '.swath-pack-';
const longestWorkMs = 24 * 3600 * 1000;
/** In a work folder: the path of the one that the same work has elsewhere. */
const otherName = 'other-folder';

/** Makes a folder to work in for this process; what killed ones left beside it is taken away. @throws AppError `transfer.*` */
export async function makeWorkFolder(parent: string): Promise<string> {
  await discardLeft(parent, isProcessAlive);
  return mkdtemp(join(parent, `${prefix}${String(process.pid)}-`)).catch((thrown: unknown) => {
    throw toDiskError(thrown, parent);
  });
}

/** Notes where else the same work has a folder, so that it is found once the process was killed. */
export async function noteOtherFolder(folder: string, other: string): Promise<void> {
  await writeFile(join(folder, otherName), other);
}

/** Takes away what was left when a process was killed. Called at the start, when this one works at no pack. */
export function discardLeftFolders(parent: string): Promise<void> {
  return discardLeft(parent, (pid) => pid !== process.pid && isProcessAlive(pid));
}

async function discardLeft(parent: string, isAtWork: (pid: number) => boolean): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true) continue;
    const pid = Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1] ?? process.pid);
    // Numbers of processes are given again, but nobody works at a pack for a day.
    if (isAtWork(pid) && found.mtimeMs > Date.now() - longestWorkMs) continue;
    const other = await readFile(join(path, otherName), 'utf8').catch(() => null);
    // What can't be deleted now is tried again the next time.
    const remove = (left: string): Promise<void> => rm(left, { recursive: true, force: true });
    await (other !== null && basename(other).startsWith(prefix) ? remove(other) : Promise.resolve())
      .then(() => remove(path))
      .catch(() => undefined);
  }
}
