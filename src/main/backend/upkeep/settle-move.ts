import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findLibraryFolder, type LibraryPlaces } from '../library/library-file.ts';
import { removeFile } from '../library/upkeep/back-up.ts';

/** Lies in Swath's own folder while libraries are moved, and says where to. */
const noteName = 'moving.json';
/** Lies in the new folder, and says where from: another drive at the same place has none. */
const markName = 'swath-moving.json';

const placedName = /^library-[^.]+\.sqlite$/;
const unplacedName = /^library-[^.]+\.sqlite\.moving/;

/** Where the copy of a library lies until all of them are there. */
export function unplacedPath(filePath: string): string {
  return `${filePath}.moving`;
}

/** Notes that libraries are about to be moved. */
export function beginMove(dataDir: string, { from, to }: { from: string; to: string }): void {
  writeFileSync(join(dataDir, noteName), JSON.stringify({ to }));
  writeFileSync(join(to, markName), JSON.stringify({ from }));
}

/** Whether a move from one folder to another was begun, and nobody has tidied up after it. */
export function isMoveInto(to: string, from: string): boolean {
  return readPath(join(to, markName), 'from') === from;
}

/**
 * Removes what a move leaves: the libraries in their old folder once they are in use in the new one, otherwise the copies
 * in the new one. Called at the end of a move, and at the start, when no other program can be moving. What can't be
 * removed now, on a drive that isn't there, is removed at a later start.
 */
export function settleMove(places: LibraryPlaces): void {
  const notePath = join(places.dataDir, noteName);
  const inUse = resolve(findLibraryFolder(places));
  const to = resolve(readPath(notePath, 'to') ?? inUse);
  const from = readPath(join(to, markName), 'from');
  try {
    if (from !== null) tidyUp({ from: resolve(from), to, inUse });
    if (existsSync(to)) rmSync(notePath, { force: true });
  } catch {
    // One of the folders can't be written to: both notes stay.
  }
}

function tidyUp({ from, to, inUse }: { from: string; to: string; inUse: string }): void {
  const left = inUse === to ? from : to;
  if (from !== to && [from, to].includes(inUse)) {
    const names = listNames(to, placedName).filter((name) => existsSync(join(from, name)));
    for (const name of names) removeFile(join(left, name));
  }
  for (const name of listNames(to, unplacedName)) rmSync(join(to, name), { force: true });
  rmSync(join(to, markName), { force: true });
}

function listNames(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder).filter((name) => pattern.test(name));
}

function readPath(path: string, member: 'from' | 'to'): string | null {
  try {
    const value = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[member];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
